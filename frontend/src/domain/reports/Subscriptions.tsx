import { useQuery } from '@tanstack/react-query'
import { Button, Drawer } from 'antd'
import { useState } from 'react'
import { actionsColumn, statusColumn, textColumn, timeColumn } from '@/desk/columns'
import { DataTable } from '@/desk/DataTable'
import { useSession } from '@/lib/session'
import { formatTime } from '@/lib/time'
import type { Tone } from '@/ui/Small'
import { toast } from '@/ui/toast'
import type { ReportName } from './api'
import { TITLES, type ReportFilters } from './filters'
import { SubscribeDialog } from './SubscribeDialog'
import {
  sends,
  sentence,
  describeShift,
  subscriptions,
  useChangeSubscription,
  useDropSubscription,
  useSendNow,
  type Send,
  type SendQuery,
  type Subscription,
} from './subscriptions'
import { savedViews, findShownView } from './views'
import styles from './views.module.css'

const TONES: Record<Send['State'], Tone> = {
  sending: 'brand',
  sent: 'good',
  partly: 'warn',
  failed: 'bad',
  skipped: 'plain',
}
/** Refetch interval while a letter is being sent. */
const REFETCH_MS = 3000
const getName = ({ View }: Subscription): string => (View ? View.Name : '视图已删除')

/** The recipients of a send, with the result for each. */
const Letters = ({ send }: { send: Send }) => (
  <ul className={styles.letters}>
    {send.Letters.map(({ To, StateText, Note, Rows, SentAt, Attempts }) => (
      <li key={To}>
        <b>{To}</b> {StateText}
        {SentAt && ` · ${formatTime(SentAt)} · ${Rows ?? 0} 行`}
        {Note && `：${Note}`}
        {Attempts > 1 && `（第 ${Attempts} 次）`}
      </li>
    ))}
    {send.Letters.length === 0 && <li>{send.Note}</li>}
  </ul>
)

/** The sends of one subscription, latest first. */
function History({ row, onClose }: { row: Subscription; onClose: () => void }) {
  const [query, setQuery] = useState<SendQuery>({ PageIndex: 1, PageSize: 20 })
  const { data, error, refetch, isFetching, isPlaceholderData } = useQuery({
    ...sends(row.Id, query),
    refetchInterval: ({ state: { data: shown } }) =>
      shown?.Items.some(({ State }) => State === 'sending') ? REFETCH_MS : false,
  })
  const columns = [
    timeColumn<Send>('应发时间', ({ DueAt }) => DueAt),
    textColumn<Send>('方式', ({ IsAsked }) => (IsAsked ? '立即发送' : '定时')),
    statusColumn<Send>('状态', ({ State, StateText }) => ({ text: StateText, tone: TONES[State] })),
    { title: '收件人与结果', render: (_: unknown, send: Send) => <Letters send={send} /> },
  ]
  return (
    <Drawer
      title={`发送记录 · ${getName(row)}`}
      open
      onClose={onClose}
      size={860}
      destroyOnHidden
      extra={
        <Button loading={isFetching} onClick={() => void refetch()}>
          刷新
        </Button>
      }
    >
      <DataTable
        rowKey="Id"
        page={data}
        columns={columns}
        loading={isPlaceholderData}
        error={error}
        onRetry={() => void refetch()}
        onPage={(page) => setQuery({ ...query, ...page } as SendQuery)}
        empty={{ title: '还没有发送', text: '到发送时间后会在这里留下记录，保存一年' }}
      />
    </Drawer>
  )
}

const state = ({ IsActive, PausedReason }: Subscription): { text: string; tone: Tone } =>
  PausedReason
    ? { text: '自动暂停', tone: 'bad' }
    : IsActive
      ? { text: '启用', tone: 'good' }
      : { text: '已暂停', tone: 'plain' }

const About = ({ row }: { row: Subscription }) => (
  <span className={styles.about}>
    <b>{getName(row)}</b>
    <small>{row.View ? TITLES[row.View.Report] : '请编辑并选择其他视图'}</small>
    {row.PausedReason && <small className={styles.bad}>{row.PausedReason}</small>}
  </span>
)

/** The schedule, and below it the rule for holidays. */
const When = ({ row }: { row: Subscription }) => (
  <span className={styles.about}>
    {sentence({ ...row, Shift: 'none' })}
    {describeShift(row) && <small>{describeShift(row)}</small>}
  </span>
)

const listed = ({ Recipients }: Subscription): string =>
  Recipients.map(
    ({ Person, Address, Unsubscribed }) =>
      `${Person?.Name ?? Address}${Unsubscribed ? '（已退订）' : ''}`,
  ).join('、')

/** 订阅: the person's subscriptions to all reports. New ones use the views of this report. */
function List({
  name,
  viewId,
  onClose,
}: {
  name: ReportName
  viewId: string | undefined
  onClose: () => void
}) {
  const { data, error, refetch } = useQuery(subscriptions())
  const me = useSession()
  const [edited, setEdited] = useState<Subscription | 'new' | null>(null)
  const [history, setHistory] = useState<Subscription | null>(null)
  const [change, drop, send] = [useChangeSubscription(), useDropSubscription(), useSendNow()]
  const turn = ({ Id }: Subscription, IsActive: boolean): void =>
    change.mutate(
      { Id, IsActive },
      {
        onSuccess: () => toast.success(IsActive ? '订阅已启用' : '订阅已暂停'),
        onError: (refused) => toast.error(refused.message),
      },
    )
  const columns = [
    { title: '视图', width: 200, render: (_: unknown, row: Subscription) => <About row={row} /> },
    { title: '发送时间', render: (_: unknown, row: Subscription) => <When row={row} /> },
    textColumn<Subscription>('收件人', (row) => (
      <span className={styles.people}>{listed(row)}</span>
    )),
    statusColumn<Subscription>('状态', state),
    textColumn<Subscription>('下次发送', ({ NextAt }) => (NextAt ? formatTime(NextAt) : '—')),
    actionsColumn<Subscription>(
      [
        { label: '发送记录', onClick: setHistory },
        { label: '编辑', onClick: setEdited },
        {
          label: '立即发送',
          confirm: '现在就发送给全部收件人？',
          shown: ({ View }) => !!View,
          onClick: (row) =>
            send.mutate(row.Id, {
              onSuccess: () => {
                toast.success('已开始发送')
                setHistory(row)
              },
            }),
        },
        { label: '暂停', shown: ({ IsActive }) => IsActive, onClick: (row) => turn(row, false) },
        { label: '启用', shown: ({ IsActive }) => !IsActive, onClick: (row) => turn(row, true) },
        {
          label: '删除',
          danger: true,
          confirm: '删除该订阅及其全部发送记录？',
          onClick: ({ Id }) => drop.mutate(Id, { onSuccess: () => toast.success('订阅已删除') }),
        },
      ],
      { width: 230 },
    ),
  ]
  return (
    <Drawer
      title="报表订阅"
      open
      onClose={onClose}
      size={1080}
      destroyOnHidden
      extra={
        <Button type="primary" onClick={() => setEdited('new')}>
          新建订阅
        </Button>
      }
    >
      <DataTable
        rowKey="Id"
        page={data}
        columns={columns}
        error={error}
        onRetry={() => void refetch()}
        empty={{ title: '还没有订阅', text: '把保存的视图按天、周或月定时发送给同事或企业邮箱' }}
      />
      {edited && (
        <SubscribeDialog
          key={edited === 'new' ? 'new' : edited.Id}
          report={name}
          edited={edited}
          viewId={viewId}
          me={{ value: me?.User.uid ?? '', label: me?.User.nname ?? '' }}
          onClose={() => setEdited(null)}
        />
      )}
      {history && <History row={history} onClose={() => setHistory(null)} />}
    </Drawer>
  )
}

export default function Subscriptions({
  name,
  filters,
  onClose,
}: {
  name: ReportName
  filters: ReportFilters
  onClose: () => void
}) {
  const { data } = useQuery(savedViews(name))
  return <List name={name} viewId={findShownView(data ?? [], filters)?.Id} onClose={onClose} />
}
