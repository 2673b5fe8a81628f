import { useQuery, type QueryClient } from '@tanstack/react-query'
import { workbench } from '@/domain/orders/workbench'
import { session, useSession } from '@/lib/session'
import { ErrorState, Loading } from '@/ui/States'
import { Budgets } from './Budgets'
import { Notices } from './Notices'
import { Often } from './Often'
import { Orders } from './Orders'
import { Shortcuts } from './Shortcuts'
import { Spend } from './Spend'
import { Todo } from './Todo'
import styles from './workbench.module.css'

export const loader = (client: QueryClient) => () => {
  const uid = session.get()?.User.uid
  if (uid) void client.prefetchQuery(workbench(uid))
  return null
}

/** The user's open tasks and key figures, from one request. */
export function Component() {
  const person = useSession()
  const uid = person?.User.uid ?? ''
  const { data, error, refetch } = useQuery(workbench(uid))
  if (error && !data) return <ErrorState error={error} onRetry={() => void refetch()} />
  if (!data) return <Loading height={640} />
  const { States, Spend: spend, RecentOrders, ScopeText } = data
  return (
    <div className={styles.page}>
      <Todo desk={data} uid={person?.User.uid ?? ''} name={person?.User.nname ?? ''} />
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
