import { useQuery } from '@tanstack/react-query'
import { Drawer, Segmented } from 'antd'
import { useState } from 'react'
import { Link } from 'react-router-dom'
import { textColumn, timeColumn } from '@/desk/columns'
import { DataTable } from '@/desk/DataTable'
import { budgetsAt } from '@/domain/budgets/state'
import { fromFen, toFen, yuan } from '@/lib/money'
import { paths } from '@/lib/paths'
import { formatTime } from '@/lib/time'
import { cx } from '@/ui/cx'
import { Empty, ErrorState, Loading } from '@/ui/States'
import { awaiting, entries, type BudgetRow, type EntryRow, type Figure } from './api'
import styles from './budget.module.css'

export type LedgerFilter = Figure | 'awaiting' | ''

const KINDS: readonly { value: LedgerFilter; label: string }[] = [
  { value: '', label: '全部流水' },
  { value: 'amount', label: '额度' },
  { value: 'consumed', label: '已使用' },
  { value: 'reserved', label: '已预占' },
  { value: 'awaiting', label: '审批中' },
]

/** The sign of each entry kind per figure. For the amount, the entry has its own sign. */
const NEGATIVE_KINDS: Readonly<Record<string, readonly string[]>> = {
  amount: ['carry_out'],
  reserved: ['release', 'consume'],
  consumed: ['refund'],
  '': ['reserve', 'carry_out'],
}
/**
 * In the full ledger: the effect on the available amount. Consumption only moves the reserved
 * amount, so it has none.
 */
const NEUTRAL_KIND = 'consume'

/** An entry with its sign for the selected figure. */
export function formatSigned(
  { Kind, Amount }: Pick<EntryRow, 'Kind' | 'Amount'>,
  figure: Figure | '',
): string {
  if (Amount.startsWith('-')) return yuan(Amount)
  if (figure === '' && Kind === NEUTRAL_KIND) return yuan(Amount)
  return `${NEGATIVE_KINDS[figure]?.includes(Kind) ? '-' : '+'}${yuan(Amount)}`
}

/** Links to the other budget of a roll-over, in the list of all periods. */
const CounterpartLink = ({ name }: { name: string }) => (
  <Link className={styles.no} to={budgetsAt({ When: 'all', Keyword: name })}>
    对应预算
  </Link>
)

const OrderLink = ({ no }: { no: string }) =>
  no ? (
    <Link className={styles.no} to={paths.order(no)}>
      {no}
    </Link>
  ) : (
    <span className={styles.quiet}>—</span>
  )

const columns = (figure: Figure | '') => [
  timeColumn<EntryRow>('时间', ({ At }) => At),
  textColumn<EntryRow>('类型', ({ KindText }) => KindText),
  textColumn<EntryRow>(
    '金额',
    (row) => (
      <span className={cx(styles.signed, formatSigned(row, figure).startsWith('-') && styles.away)}>
        {formatSigned(row, figure)}
      </span>
    ),
    { align: 'right' },
  ),
  textColumn<EntryRow>('订单', ({ OrderNo, Counterpart }) =>
    Counterpart ? <CounterpartLink name={Counterpart.Name} /> : <OrderLink no={OrderNo} />,
  ),
  textColumn<EntryRow>('操作人', ({ By }) => By || '—'),
  textColumn<EntryRow>(
    '说明',
    ({ Note, OriginName }) =>
      [OriginName && `下级“${OriginName}”`, Note].filter(Boolean).join('，') || '—',
  ),
]

function Entries({ row, figure }: { row: BudgetRow; figure: Figure | '' }) {
  const [page, setPage] = useState(1)
  const { data, error, refetch, isPlaceholderData } = useQuery(entries(row.Id, figure, page))
  return (
    <DataTable<EntryRow>
      rowKey="Id"
      page={data}
      columns={columns(figure)}
      loading={isPlaceholderData}
      error={error}
      onRetry={() => void refetch()}
      onPage={({ PageIndex }) => setPage(PageIndex)}
      empty={{ title: '还没有流水', text: '下单、收货、退货和额度调整都会记在这里' }}
    />
  )
}

/**
 * Orders in approval already reserve their amount. A rejection releases it; an approval takes no
 * more.
 */
function Forecast({ row }: { row: BudgetRow }) {
  const { data, error, refetch } = useQuery(awaiting(row.Id))
  if (!data)
    return error ? (
      <ErrorState error={error} onRetry={() => void refetch()} />
    ) : (
      <Loading height={240} />
    )
  if (data.length === 0)
    return (
      <Empty title="没有审批中的订单">提交审批的订单会先预占预算，通过后继续占用，驳回后退回</Empty>
    )
  const total = data.reduce((fen, { Amount }) => fen + toFen(Amount), 0)
  return (
    <>
      <dl className={styles.forecast}>
        <div>
          <dt>审批中 {row.Awaiting.Count} 单</dt>
          <dd>{yuan(row.Awaiting.Amount)}</dd>
        </div>
        <div>
          <dt>全部通过后可用</dt>
          <dd>{yuan(row.Available)}</dd>
        </div>
        <div>
          <dt>全部驳回后可用</dt>
          <dd>{yuan(fromFen(toFen(row.Available) + toFen(row.Awaiting.Amount)))}</dd>
        </div>
      </dl>
      <ul className={styles.orders}>
        {data.map(({ Id, OrderNo, Note, Amount, At }) => (
          <li key={Id}>
            {Note ? <span className={styles.quiet}>{Note}</span> : <OrderLink no={OrderNo} />}
            <small>{formatTime(At)} 提交</small>
            <b>{yuan(Amount)}</b>
          </li>
        ))}
      </ul>
      {row.Awaiting.Count > data.length && (
        <p className={styles.quiet}>
          以上为最近 {data.length} 单，合计 {yuan(fromFen(total))}
        </p>
      )}
    </>
  )
}

/**
 * The ledger of each figure of a budget, every row with its order, and the effect of the orders in
 * approval.
 */
export default function Ledger({
  row,
  first,
  onClose,
}: {
  row: BudgetRow
  first: LedgerFilter
  onClose: () => void
}) {
  const [shown, setShown] = useState<LedgerFilter>(first)
  return (
    <Drawer title={`预算流水 · ${row.Name}`} open onClose={onClose} size={760} destroyOnHidden>
      <dl className={styles.forecast} aria-label="预算余额">
        {[
          ['额度', row.Amount],
          ['已使用', row.Consumed],
          ['已预占', row.Reserved],
          ['可用', row.Available],
        ].map(([name = '', money = '']) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{yuan(money)}</dd>
          </div>
        ))}
      </dl>
      <div className={styles.kinds}>
        <Segmented<LedgerFilter>
          options={[...KINDS]}
          value={shown}
          onChange={setShown}
          aria-label="流水类别"
        />
      </div>
      {shown === 'awaiting' ? (
        <Forecast row={row} />
      ) : (
        <Entries key={shown} row={row} figure={shown} />
      )}
    </Drawer>
  )
}
