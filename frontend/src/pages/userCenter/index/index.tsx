import { useQuery, type QueryClient } from '@tanstack/react-query'
import { Link } from 'react-router-dom'
import { workbench, type Workbench } from '@/domain/orders/workbench'
import { paths } from '@/lib/paths'
import { session, useSession } from '@/lib/session'
import { Icon, type IconName } from '@/ui/Icon'
import { ErrorState, Loading } from '@/ui/States'
import { Budgets } from './Budgets'
import { Notices } from './Notices'
import { Often } from './Often'
import { Orders } from './Orders'
import { Shortcuts } from './Shortcuts'
import { Spend } from './Spend'
import styles from './workbench.module.css'

export const loader = (client: QueryClient) => () => {
  const uid = session.get()?.User.uid
  if (uid) void client.prefetchQuery(workbench(uid))
  return null
}

const WORK: readonly { key: keyof Workbench['Counts']; label: string; icon: IconName; to: string }[] = [
  { key: 'PendingApproval', label: '待我审批', icon: 'approve', to: paths.approvals() },
  { key: 'OwnInApproval', label: '我的审批中', icon: 'clock', to: paths.orders({ Status: 'pending_approval' }) },
  { key: 'PendingPayment', label: '我的待支付', icon: 'wallet', to: paths.orders({ Status: 'unpaid' }) },
  { key: 'PendingShipment', label: '我的待发货', icon: 'box', to: paths.orders({ Status: 'pending_shipment' }) },
  { key: 'PendingReceipt', label: '我的待收货', icon: 'truck', to: paths.orders({ Status: 'pending_receipt' }) },
  { key: 'QuotedInquiries', label: '询价已报价', icon: 'tag', to: paths.inquiries({ Status: 'quoted' }) },
]

/** What waits for this person; what he has no right to is not there. */
function Todo({ counts, name }: { counts: Workbench['Counts']; name: string }) {
  return (
    <section className={styles.card} aria-label="今日待办">
      <h1>{name}，今天的待办</h1>
      <ul className={styles.work}>
        {WORK.map(({ key, label, icon, to }) => {
          const count = counts[key]
          if (count === null) return null
          return (
            <li key={key}>
              <Link to={to}>
                <Icon name={icon} size={24} />
                <b className={count > 0 ? styles.some : undefined}>{count}</b>
                <span>{label}</span>
              </Link>
            </li>
          )
        })}
      </ul>
    </section>
  )
}

/** Today's work of this person and the figures he watches over, in one call. */
export function Component() {
  const person = useSession()
  const uid = person?.User.uid ?? ''
  const { data, error, refetch } = useQuery(workbench(uid))
  if (error && !data) return <ErrorState error={error} onRetry={() => void refetch()} />
  if (!data) return <Loading height={640} />
  const { States, Spend: spend, RecentOrders, ScopeText } = data
  return (
    <div className={styles.page}>
      <Todo counts={data.Counts} name={person?.User.nname ?? ''} />
      <Shortcuts shortcuts={data.Shortcuts} />
      <div className={spend ? styles.two : styles.page}>
        {spend && States && (
          <div className={styles.page}>
            <Spend spend={spend} scope={ScopeText} />
            <Orders states={States} rows={RecentOrders ?? []} scope={ScopeText} />
          </div>
        )}
        <div className={styles.page}>
          <Budgets rows={data.Budgets} totals={data.BudgetTotals} />
          <Notices />
        </div>
      </div>
      <Often rows={data.FrequentlyBought} />
    </div>
  )
}
