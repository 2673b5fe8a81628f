import { useQuery } from '@tanstack/react-query'
import { Button } from 'antd'
import { lazy, Suspense, useState } from 'react'
import { actionsColumn, statusColumn, textColumn } from '@/desk/columns'
import { DataTable } from '@/desk/DataTable'
import { ChangeHistory } from '@/domain/org/ChangeHistory'
import {
  eventGroupName,
  useDeleteWebhook,
  useTestWebhook,
  useTurnWebhook,
  webhooks,
  type Keyed,
  type Webhook,
} from '@/domain/org/webhooks'
import { formatTime } from '@/lib/time'
import { toast } from '@/ui/toast'
import { RotateDialog, SecretDialog, WebhookDialog } from './WebhookDialog'
import group from './group.module.css'
import styles from './webhooks.module.css'

const Deliveries = lazy(() => import(/* webpackChunkName: "deliveries" */ './Deliveries'))

const state = ({
  IsActive,
  PausedReason,
  Failures,
}: Webhook): { text: string; tone: 'good' | 'bad' | 'warn' | 'plain' } => {
  if (PausedReason) return { text: '自动暂停', tone: 'bad' }
  if (!IsActive) return { text: '已停用', tone: 'plain' }
  return Failures > 0
    ? { text: `连续失败 ${Failures} 次`, tone: 'warn' }
    : { text: '启用', tone: 'good' }
}

const Address = ({ row }: { row: Webhook }) => (
  <span className={styles.named}>
    {row.Name}
    <small>{row.Url}</small>
    {row.DeliveredAt && <small>最近送达 {formatTime(row.DeliveredAt)}</small>}
    {row.PausedReason && <small className={styles.bad}>{row.PausedReason}</small>}
  </span>
)

/** 事件推送: the webhooks that send events of the mall to the customer's systems. */
export function Webhooks() {
  const { data, error, refetch } = useQuery(webhooks())
  const [edited, setEdited] = useState<Webhook | 'new' | null>(null)
  const [keyed, setKeyed] = useState<{ keyed: Keyed; isNew: boolean } | null>(null)
  const [shown, setShown] = useState<Webhook | null>(null)
  const [history, setHistory] = useState(false)
  const [rotated, setRotated] = useState<Webhook | null>(null)
  const [turn, remove, test] = [useTurnWebhook(), useDeleteWebhook(), useTestWebhook()]
  const tried = ({ Id }: Webhook): void => {
    test.mutateAsync(Id).then(
      ({ Error: problem, StatusCode }) =>
        problem
          ? toast.error(`测试推送失败：${problem}`)
          : toast.success(`测试推送已送达，对方应答 ${StatusCode}`),
      () => undefined,
    )
  }
  const columns = [
    { title: '推送地址', render: (_: unknown, row: Webhook) => <Address row={row} /> },
    textColumn<Webhook>('订阅事件', ({ Events }) => Events.map(eventGroupName).join('、')),
    statusColumn<Webhook>('状态', state),
    actionsColumn<Webhook>([
      { label: '推送记录', onClick: setShown },
      { label: '测试', onClick: tried, refusal: () => (test.isPending ? '正在测试' : null) },
      { label: '编辑', onClick: setEdited },
      { label: '更换密钥', onClick: setRotated },
      {
        label: '停用',
        confirm: '停用后不再记录和推送新事件',
        shown: ({ IsActive }) => IsActive,
        onClick: ({ Id }) =>
          turn.mutate({ Id, IsActive: false }, { onSuccess: () => toast.success('推送已停用') }),
      },
      {
        label: '启用',
        shown: ({ IsActive }) => !IsActive,
        onClick: ({ Id }) =>
          turn.mutate(
            { Id, IsActive: true },
            { onSuccess: () => toast.success('推送已启用，未送达的事件将立即补发') },
          ),
      },
      {
        label: '删除',
        danger: true,
        confirm: '删除该地址及其全部推送记录？',
        onClick: ({ Id }) =>
          remove.mutate(Id, { onSuccess: () => toast.success('推送地址已删除') }),
      },
    ]),
  ]
  return (
    <section className={group.section} aria-label="事件推送">
      <header>
        <h2>事件推送</h2>
        <a href="/api/docs" target="_blank" rel="noreferrer">
          接口文档
        </a>
        <Button onClick={() => setHistory(true)}>推送变更记录</Button>
        <Button onClick={() => setEdited('new')}>新增推送地址</Button>
      </header>
      <DataTable
        rowKey="Id"
        page={data}
        columns={columns}
        error={error}
        onRetry={() => void refetch()}
        empty={{
          title: '还没有推送地址',
          text: '订单、发货、发票或价格有变化时，商城会主动通知贵司的 ERP、OA 等系统',
        }}
      />
      {edited && (
        <WebhookDialog
          key={edited === 'new' ? 'new' : edited.Id}
          edited={edited === 'new' ? null : edited}
          onClose={() => setEdited(null)}
          onKeyed={(answer) => setKeyed({ keyed: answer, isNew: true })}
        />
      )}
      {rotated && (
        <RotateDialog
          key={rotated.Id}
          of={rotated}
          onClose={() => setRotated(null)}
          onKeyed={(answer) => setKeyed({ keyed: answer, isNew: false })}
        />
      )}
      {keyed && <SecretDialog {...keyed} onClose={() => setKeyed(null)} />}
      <Suspense fallback={null}>
        {shown && <Deliveries webhook={shown} onClose={() => setShown(null)} />}
      </Suspense>
      {history && (
        <ChangeHistory
          subjectType="webhook"
          name="事件推送"
          open
          onClose={() => setHistory(false)}
        />
      )}
    </section>
  )
}
