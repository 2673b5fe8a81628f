import { useQuery } from '@tanstack/react-query'
import { Button, Drawer } from 'antd'
import { useCallback, useState } from 'react'
import { actionsColumn, statusColumn, textColumn, timeColumn } from '@/desk/columns'
import { DataTable } from '@/desk/DataTable'
import { FilterChoice } from '@/desk/LiveFilters'
import {
  deliveries,
  delivery,
  useReplay,
  type Delivery,
  type DeliveryQuery,
  type Webhook,
} from '@/domain/org/webhooks'
import { formatTime } from '@/lib/time'
import type { Tone } from '@/ui/Small'
import { ErrorState, Loading } from '@/ui/States'
import { toast } from '@/ui/toast'
import styles from './webhooks.module.css'

const TONES: Record<Delivery['State'], Tone> = {
  waiting: 'brand',
  sending: 'brand',
  delivered: 'good',
  failed: 'bad',
}
const STATES = [
  { value: 'waiting', label: '待推送' },
  { value: 'sending', label: '推送中' },
  { value: 'delivered', label: '已送达' },
  { value: 'failed', label: '已放弃' },
] as const

/** The response, or the reason why there is none. */
const outcome = ({ StatusCode, Error: problem, State, NextAt }: Delivery): string => {
  if (State === 'delivered') return `应答 ${StatusCode}`
  if (!problem) return '—'
  return NextAt ? `${problem}；${formatTime(NextAt)} 重试` : problem
}

function Whole({ webhook, pk }: { webhook: Webhook; pk: string }) {
  const { data, error, refetch } = useQuery(delivery(webhook.Id, pk))
  if (!data)
    return error ? (
      <ErrorState error={error} onRetry={() => void refetch()} />
    ) : (
      <Loading height={200} />
    )
  return (
    <div className={styles.whole}>
      <h3>推送经过</h3>
      {data.Tries.length === 0 && <p className={styles.note}>还没有推送</p>}
      <ol>
        {data.Tries.map(({ At, StatusCode, Error: problem, Milliseconds }) => (
          <li key={At}>
            <span>{formatTime(At)}</span>
            {problem || `已送达（应答 ${StatusCode}）`}
            <small>{Milliseconds} 毫秒</small>
          </li>
        ))}
      </ol>
      {data.Answer && (
        <>
          <h3>最近应答</h3>
          <pre>{data.Answer}</pre>
        </>
      )}
      <h3>推送内容</h3>
      <pre>{JSON.stringify(data.Payload, null, 2)}</pre>
    </div>
  )
}

/** The deliveries of a webhook: sent, waiting and failed. */
export default function Deliveries({
  webhook,
  onClose,
}: {
  webhook: Webhook
  onClose: () => void
}) {
  const [query, setQuery] = useState<DeliveryQuery>({ PageIndex: 1, PageSize: 20 })
  const { data, error, refetch, isPlaceholderData, isFetching } = useQuery(
    deliveries(webhook.Id, query),
  )
  const replay = useReplay(webhook.Id)
  const whole = useCallback(({ Id }: Delivery) => <Whole webhook={webhook} pk={Id} />, [webhook])
  const columns = [
    timeColumn<Delivery>('产生时间', ({ CreatedAt }) => CreatedAt),
    textColumn<Delivery>('事件', ({ Event, Subject }) => (
      <span className={styles.named}>
        {Event}
        <small>{Subject}</small>
      </span>
    )),
    statusColumn<Delivery>('状态', ({ State, StateText }) => ({
      text: StateText,
      tone: TONES[State],
    })),
    textColumn<Delivery>('次数', ({ Attempts }) => Attempts, { align: 'right' }),
    textColumn<Delivery>('结果', (row) => <span className={styles.outcome}>{outcome(row)}</span>),
    actionsColumn<Delivery>([
      {
        label: '重放',
        confirm: '以相同事件编号重新推送？',
        shown: ({ State }) => State === 'delivered' || State === 'failed',
        refusal: () => (webhook.IsActive ? null : '请先启用该推送地址'),
        onClick: ({ Id }) => replay.mutate(Id, { onSuccess: () => toast.success('已重新推送') }),
      },
    ]),
  ]
  return (
    <Drawer title={`推送记录 · ${webhook.Name}`} open onClose={onClose} size={960} destroyOnHidden>
      <div className={styles.filters}>
        <FilterChoice
          label="状态"
          width={140}
          value={query.State || undefined}
          options={STATES}
          onChange={(State) =>
            setQuery({
              ...query,
              State: (State ?? '') as NonNullable<DeliveryQuery['State']>,
              PageIndex: 1,
            })
          }
        />
        <Button loading={isFetching} onClick={() => void refetch()}>
          刷新
        </Button>
      </div>
      <DataTable
        rowKey="Id"
        page={data}
        columns={columns}
        loading={isPlaceholderData}
        error={error}
        onRetry={() => void refetch()}
        onPage={(page) => setQuery({ ...query, ...page } as DeliveryQuery)}
        expandable={{ expandedRowRender: whole }}
        empty={{
          title: query.State ? '没有该状态的推送' : '还没有推送',
          text: '订阅的事件发生后会在这里留下记录，保存 30 天',
        }}
      />
    </Drawer>
  )
}
