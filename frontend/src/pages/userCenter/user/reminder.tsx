import { keepPreviousData, queryOptions, useQuery, type QueryClient } from '@tanstack/react-query'
import { Pagination } from 'antd'
import { Link, type LoaderFunctionArgs } from 'react-router-dom'
import { call, type Answer, type Query } from '@/api/call'
import { useWrite } from '@/api/useWrite'
import { Page } from '@/desk/Page'
import { paths } from '@/lib/paths'
import { getProductTitle } from '@/lib/productTitle'
import { formatTime } from '@/lib/time'
import { readPage, useFilters } from '@/lib/useFilters'
import { Button, ButtonLink } from '@/ui/Button'
import { cx } from '@/ui/cx'
import { Price } from '@/ui/Price'
import { ProductImage } from '@/ui/ProductImage'
import { Tag } from '@/ui/Small'
import { Empty, ErrorState, Loading } from '@/ui/States'
import { Tabs } from '@/ui/Tabs'
import { toast } from '@/ui/toast'
import styles from './saved.module.css'

export type ReminderPage = Answer<'/api/RestockReminder'>
export type Reminder = ReminderPage['Items'][number]
type ReminderQuery = NonNullable<Query<'/api/RestockReminder'>>

interface Filters {
  Status: '' | 'waiting' | 'told'
  PageIndex: number
  PageSize: number
}

const readFilters = (params: URLSearchParams): Filters => {
  const status = params.get('Status')
  return {
    Status: status === 'waiting' || status === 'told' ? status : '',
    ...readPage(params),
  }
}

const reminders = ({ Status, PageIndex, PageSize }: Filters) =>
  queryOptions({
    queryKey: ['shortage', 'reminders', Status, PageIndex, PageSize],
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => {
      const query = { Status: Status || undefined, PageIndex, PageSize } as ReminderQuery
      return call('get', '/api/RestockReminder', { query, signal, quiet: true })
    },
  })

export const loader =
  (client: QueryClient) =>
  ({ request }: LoaderFunctionArgs) => {
    void client.prefetchQuery(reminders(readFilters(new URL(request.url).searchParams)))
    return null
  }

/** What the person can do now: buy it, wait, or look for another product. */
function State({ row }: { row: Reminder }) {
  if (row.Problem && row.Problem.Code !== 'stock_short') {
    return (
      <>
        <Tag tone="warn">{row.Problem.Message}</Tag>
        <Link to={paths.products({ Cid: row.CategoryId })}>看同类商品</Link>
      </>
    )
  }
  if (row.Valid) {
    return (
      <>
        <Tag tone="good">{row.ToldAt ? '已到货' : '现在有货'}</Tag>
        <Link to={paths.product(row.ProductCode)}>去购买</Link>
      </>
    )
  }
  return <Tag tone={row.ToldAt ? 'plain' : 'brand'}>{row.ToldAt ? '又缺货了' : '等待到货'}</Tag>
}

function Line({ row, isBusy, onDrop }: { row: Reminder; isBusy: boolean; onDrop: () => void }) {
  const name = getProductTitle(row)
  const isGone = row.Problem !== null && row.Problem.Code !== 'stock_short'
  return (
    <li className={cx(styles.line, styles.reminder, isGone && styles.gone)}>
      <span className={styles.picture}>
        <ProductImage src={row.ImageUrl} alt="" />
      </span>
      <div className={styles.name}>
        {isGone ? <span>{name}</span> : <Link to={paths.product(row.ProductCode)}>{name}</Link>}
        <small>
          {[row.ModelCode, row.ProductCode, row.CustomerCode && `物料号 ${row.CustomerCode}`]
            .filter(Boolean)
            .join(' · ')}
        </small>
        <small>
          {formatTime(row.CreatedAt)} 登记
          {row.ToldAt
            ? `，${formatTime(row.ToldAt)} 已提醒`
            : !isGone && `，${row.ArrivesOn ? `预计 ${row.ArrivesOn} 到货` : '到货时间待定'}`}
        </small>
      </div>
      <div className={styles.price}>
        {row.CustomerPrice === null ? (
          <span className={styles.none}>暂无价格</span>
        ) : (
          <Price value={row.CustomerPrice} market={row.MallPrice} size="s" />
        )}
      </div>
      <div className={styles.acts}>
        <p className={styles.problem}>
          <State row={row} />
        </p>
        <Button
          look="text"
          size="s"
          disabled={isBusy}
          aria-label={`移除：${name}`}
          onClick={onDrop}
        >
          移除
        </Button>
      </div>
    </li>
  )
}

/** 到货提醒: the products that the person waits for, and those that arrived. */
export function Component() {
  const [filters, setFilters] = useFilters(readFilters)
  const { data, error, refetch, isPlaceholderData } = useQuery(reminders(filters))
  const drop = useWrite(['shortage'], async (code: string): Promise<void> => {
    await call('delete', '/api/RestockReminder/{ProductCode}', { path: { ProductCode: code } })
    toast.success('已移除到货提醒')
  })
  const all = data?.Tabs.find(({ Code }) => Code === '')?.Count ?? 0
  return (
    <Page
      title="到货提醒"
      extra={
        all > 0 && (
          <span className={styles.most}>
            等待到货 {data?.WaitingCount} 种，最多 {data?.MaxCount} 种
          </span>
        )
      }
      tabs={
        all > 0 &&
        data && (
          <Tabs
            label="状态"
            value={filters.Status}
            onChange={(Status) => setFilters({ Status: Status as Filters['Status'] })}
            tabs={data.Tabs.map(({ Code, Name, Count }) => ({
              key: Code,
              label: Name,
              count: Count,
            }))}
          />
        )
      }
    >
      {error && !data && <ErrorState error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Loading height={560} />}
      {data && !data.Items.length && (
        <Empty
          icon="clock"
          title={all ? '没有这种状态的商品' : '还没有登记到货提醒'}
          action={
            all ? (
              <Button look="primary" onClick={() => setFilters({ Status: '', PageIndex: 1 })}>
                看全部提醒
              </Button>
            ) : (
              <ButtonLink to={paths.products()} look="primary">
                去选购商品
              </ButtonLink>
            )
          }
        >
          {all ? '换个状态看看' : '商品缺货时点“到货提醒”，到货后会通知您一次'}
        </Empty>
      )}
      {data && data.Items.length > 0 && (
        <section
          aria-label="登记了到货提醒的商品"
          aria-busy={isPlaceholderData}
          className={cx(isPlaceholderData && styles.waiting)}
        >
          <ul className={styles.lines}>
            {data.Items.map((row) => (
              <Line
                key={`${row.ProductCode} ${row.CreatedAt}`}
                row={row}
                isBusy={drop.isPending}
                onDrop={() => drop.mutate(row.ProductCode)}
              />
            ))}
          </ul>
          {data.Total > data.PageSize && (
            <Pagination
              align="end"
              current={data.PageIndex}
              pageSize={data.PageSize}
              total={data.Total}
              showSizeChanger
              pageSizeOptions={[10, 20, 50, 100, 1000]}
              showTotal={(total) => `共 ${total} 种`}
              onChange={(PageIndex, PageSize) =>
                setFilters({ PageIndex: PageSize === data.PageSize ? PageIndex : 1, PageSize })
              }
            />
          )}
        </section>
      )}
    </Page>
  )
}
