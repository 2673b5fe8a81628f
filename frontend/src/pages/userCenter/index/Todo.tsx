import { Link } from 'react-router-dom'
import { budgetsAt } from '@/domain/budgets/state'
import type { Workbench } from '@/domain/orders/workbench'
import { paths } from '@/lib/paths'
import { Icon, type IconName } from '@/ui/Icon'
import { cx } from '@/ui/cx'
import styles from './workbench.module.css'

type Counts = Workbench['Counts']
type Totals = Workbench['BudgetTotals']

interface Tile {
  label: string
  icon: IconName
  to: string
  count: number | null
  /** Overdue or almost exhausted. */
  isUrgent?: boolean
  /** Part of the count of another tile, or not urgent. Hidden if zero. */
  isPart?: boolean
  /** The server stops counting at this number. */
  most?: number
}

/** The tasks of approvers and of those who manage budgets, rules and people. */
const listManagedTiles = (counts: Counts, totals: Totals): Tile[] => [
  { count: counts.PendingApproval, label: '待我审批', icon: 'approve', to: paths.approvals() },
  {
    count: counts.LateApproval,
    label: '其中已超时',
    icon: 'clock',
    to: paths.approvals({ Overdue: 'true' }),
    isUrgent: true,
    isPart: true,
  },
  {
    count: counts.RequisitionsToOrder,
    label: '待采购申请',
    icon: 'cart',
    to: paths.requisitions({ Box: 'todo' }),
  },
  { count: counts.TransfersToDecide, label: '待审批预算调拨', icon: 'wallet', to: paths.budgets() },
  {
    count: counts.LateApprovals,
    label: '审批超时未处理',
    icon: 'warn',
    to:
      counts.RulesWithDisabled === null
        ? paths.orders({ Status: 'pending_approval' })
        : `${paths.approvalRules()}?View=waiting`,
    isUrgent: true,
  },
  {
    count: counts.LateApprovals === null || !totals ? null : totals.Full,
    label: '预算已用完',
    icon: 'wallet',
    to: budgetsAt({ State: 'full' }),
    isUrgent: true,
  },
  {
    count: counts.LateApprovals === null || !totals ? null : totals.Near,
    label: '预算即将用完',
    icon: 'wallet',
    to: budgetsAt({ State: 'near' }),
  },
  {
    count: counts.PeopleWithoutRole,
    label: '账号未分配角色',
    icon: 'user',
    to: paths.accounts({ RoleId: '0' }),
  },
  {
    count: counts.RulesWithDisabled,
    label: '规则含停用审批人',
    icon: 'info',
    to: paths.approvalRules(),
    isUrgent: true,
  },
]

/**
 * The user's own orders and inquiries. `mine` filters the lists of users who also see the orders of
 * others.
 */
const own = (counts: Counts, mine: { Requester?: string }): Tile[] => [
  {
    count: counts.OwnInApproval,
    label: '我的审批中',
    icon: 'clock',
    to: paths.orders({ Status: 'pending_approval', ...mine }),
  },
  {
    count: counts.PendingPayment,
    label: '我的待支付',
    icon: 'wallet',
    to: paths.orders({ Status: 'unpaid', ...mine }),
  },
  {
    count: counts.PendingShipment,
    label: '我的待发货',
    icon: 'box',
    to: paths.orders({ Status: 'pending_shipment', ...mine }),
  },
  {
    count: counts.PartlyShipped,
    label: '我的部分发货',
    icon: 'truck',
    to: paths.orders({ Status: 'partly_shipped', ...mine }),
    isPart: true,
  },
  {
    count: counts.PendingReceipt,
    label: '我的待收货',
    icon: 'truck',
    to: paths.orders({ Status: 'pending_receipt', ...mine }),
  },
  {
    count: counts.ToReview,
    label: '我的待评价',
    icon: 'chat',
    to: paths.orders({ Status: 'to_review', ...mine }),
    isPart: true,
  },
  {
    count: counts.QuotedInquiries,
    label: '询价已报价',
    icon: 'tag',
    to: paths.inquiries({ Status: 'quoted' }),
  },
  {
    count: counts.ReturnsToSend,
    label: '售后待我寄回',
    icon: 'box',
    to: paths.returns({ Status: 'pending_send' }),
  },
  {
    count: counts.ReturnsToConfirm,
    label: '售后待我确认',
    icon: 'approve',
    to: paths.returns({ Status: 'pending_confirm' }),
  },
  {
    count: counts.OrdersToInvoice,
    label: '订单可申请开票',
    icon: 'invoice',
    to: paths.invoiceApply(),
    most: 100,
  },
]

/** Tiles without tasks: links to their lists in one line. */
function EmptyTiles({ tiles, hasWork }: { tiles: readonly Tile[]; hasWork: boolean }) {
  return (
    <p className={cx(styles.nothing, hasWork && styles.done)}>
      {hasWork ? '暂无' : '今天没有待办'}
      {tiles.map(({ label, to }) => (
        <Link key={label} className="touch" to={to}>
          {label}
        </Link>
      ))}
    </p>
  )
}

const formatCount = (count: number, most = Infinity): string =>
  count < most ? `${count}` : `${most - 1}+`

interface Props {
  desk: Pick<Workbench, 'Counts' | 'BudgetTotals' | 'Scope'>
  uid: string
  name: string
}

/**
 * The user's open tasks, then one line of lists without tasks. Tiles without the right are omitted.
 * For a manager, tiles of his own orders show only if there are any.
 */
export function Todo({ desk: { Counts: counts, BudgetTotals: totals, Scope }, uid, name }: Props) {
  const canKeep = counts.LateApprovals !== null || counts.PeopleWithoutRole !== null
  const owned = own(counts, Scope === 'own' ? {} : { Requester: uid }).filter(
    ({ count, isPart }) => (!canKeep && !isPart) || count,
  )
  const tiles = [
    ...listManagedTiles(counts, totals).filter(({ count, isPart }) => !isPart || count),
    ...owned,
  ].filter(({ count }) => count !== null)
  const waiting = tiles.filter(({ count }) => count)
  const rest = tiles.filter(({ count }) => !count)
  return (
    <section className={styles.card} aria-label="今日待办">
      <h1>{name}，今天的待办</h1>
      {waiting.length > 0 && (
        <ul className={styles.work}>
          {waiting.map(({ count, label, icon, to, isUrgent, most }) => (
            <li key={label}>
              <Link to={to}>
                <Icon name={icon} size={24} />
                <b className={cx(isUrgent && styles.late)}>{formatCount(count ?? 0, most)}</b>
                <span>{label}</span>
              </Link>
            </li>
          ))}
        </ul>
      )}
      {rest.length > 0 && <EmptyTiles tiles={rest} hasWork={waiting.length > 0} />}
    </section>
  )
}
