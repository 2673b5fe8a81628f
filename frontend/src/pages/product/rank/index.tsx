import { useQuery, type QueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { LoaderFunctionArgs } from 'react-router-dom'
import { tryDownload } from '@/api/download'
import { paths } from '@/lib/paths'
import { useFilters } from '@/lib/useFilters'
import { Button, ButtonLink } from '@/ui/Button'
import { cx } from '@/ui/cx'
import { Breadcrumb } from '@/ui/Small'
import { Empty, ErrorState, Loading } from '@/ui/States'
import { Tabs } from '@/ui/Tabs'
import {
  MEASURES,
  PERIODS,
  ranking,
  readState,
  SCOPES,
  type RankAnswer,
  type RankQuery,
} from './query'
import styles from './rank.module.css'
import { RankList } from './RankList'

export const loader =
  (client: QueryClient) =>
  ({ request }: LoaderFunctionArgs) => {
    void client.prefetchQuery(ranking(readState(new URL(request.url).searchParams)))
    return null
  }

interface ChoiceProps {
  label: string
  /** With this many options the row scrolls sideways on a phone. */
  isLong?: boolean
  options: readonly { key: string; label: string; count?: number }[]
  value: string
  onChange: (key: string) => void
}

/** A choice of one among a few options, side by side. */
const Choice = ({ label, isLong = false, options, value, onChange }: ChoiceProps) => (
  <div className={cx(styles.choice, isLong && styles.long)} role="group" aria-label={label}>
    {options.map((option) => (
      <button
        key={option.key}
        type="button"
        aria-pressed={option.key === value}
        onClick={() => onChange(option.key)}
      >
        {option.label}
        {option.count !== undefined && <small>{option.count}</small>}
      </button>
    ))}
  </div>
)

/**
 * Describes the ranking: the days, and whose orders count. For the industry also the reason for
 * missing figures.
 */
function Basis({ data, state }: { data: RankAnswer; state: RankQuery }) {
  const days = `${data.From} 至 ${data.To}`
  return (
    <p className={styles.basis}>
      {state.Scope === 'enterprise'
        ? `统计 ${days} 的有效订单（数据范围：${data.Whose ?? '仅本人'}），已取消、已驳回和待审批的不计入。升降与上一个同样长的期间相比。`
        : `统计 ${days} 商城全部集团的有效订单，每月 1 日发布。满 5 家集团购买、且没有一家过半的商品才上榜，只公布名次，不公布数量和金额。`}
    </p>
  )
}

function Tools({ state }: { state: RankQuery }) {
  const [isBusy, setBusy] = useState(false)
  const save = async (): Promise<void> => {
    setBusy(true)
    await tryDownload('/api/Product/Rank/Export', state, { fallback: '排行.xlsx' })
    setBusy(false)
  }
  return (
    <div className={styles.tools}>
      <Button icon="printer" onClick={() => window.print()}>
        打印
      </Button>
      <Button icon="down" loading={isBusy} onClick={() => void save()}>
        导出 Excel
      </Button>
    </div>
  )
}

function EmptyRanking({
  gap,
  state,
  onChange,
}: {
  gap: RankAnswer['Gap']
  state: RankQuery
  onChange: (change: Partial<RankQuery>) => void
}) {
  const wider = state.Cid
    ? { text: '看全部分类', change: { Cid: undefined } }
    : state.Period === 'year'
      ? null
      : { text: '看近一年', change: { Period: 'year' as const } }
  return (
    <Empty
      icon="chart"
      title="本期没有上榜商品"
      action={
        wider ? (
          <Button look="primary" onClick={() => onChange(wider.change)}>
            {wider.text}
          </Button>
        ) : (
          <ButtonLink to={paths.products()} look="primary">
            去选购商品
          </ButtonLink>
        )
      }
    >
      {gap?.Message}
    </Empty>
  )
}

/** 企业排行: the products that the group and the industry buy most. Each can be added to the cart. */
export function Component() {
  const [state, setState] = useFilters(readState)
  const { data, error, isPlaceholderData, refetch } = useQuery(ranking(state))
  const title = state.Scope === 'enterprise' ? '企业排行' : '行业排行'
  const categories = [
    { key: '', label: '全部分类' },
    ...(data?.Categories ?? []).map(({ CategoryId, Name, Count }) => ({
      key: CategoryId,
      label: Name,
      count: Count,
    })),
  ]
  return (
    <div className={styles.page}>
      <Breadcrumb items={[{ label: '首页', to: paths.home() }, { label: '企业排行' }]} />
      <div className={styles.card}>
        <header className={styles.head}>
          <h1>企业排行</h1>
          {data && data.Items.length > 0 && <Tools state={state} />}
        </header>
        <Tabs
          label="排行范围"
          tabs={SCOPES}
          value={state.Scope}
          onChange={(Scope) => setState({ Scope: Scope as RankQuery['Scope'], Cid: undefined })}
        />
        <div className={styles.asked}>
          <Choice
            label="期间"
            options={PERIODS.map((period) => ({ key: period.key, label: period[state.Scope] }))}
            value={state.Period}
            onChange={(Period) => setState({ Period: Period as RankQuery['Period'] })}
          />
          <Choice
            label="口径"
            options={MEASURES}
            value={state.Measure}
            onChange={(Measure) => setState({ Measure: Measure as RankQuery['Measure'] })}
          />
        </div>
        {categories.length > 1 && (
          <Choice
            isLong
            label="分类"
            options={categories}
            value={state.Cid ?? ''}
            onChange={(Cid) => setState({ Cid: Cid || undefined })}
          />
        )}
        {data && <Basis data={data} state={state} />}
        <section
          aria-label={title}
          aria-busy={isPlaceholderData || (!data && !error)}
          className={cx(isPlaceholderData && styles.stale)}
        >
          {error && !data && <ErrorState error={error} onRetry={() => void refetch()} />}
          {!data && !error && <Loading height={640} />}
          {data &&
            (data.Items.length ? (
              <RankList rows={data.Items} label={title} />
            ) : (
              <EmptyRanking gap={data.Gap} state={state} onChange={setState} />
            ))}
        </section>
      </div>
    </div>
  )
}
