import { useQuery, type QueryClient } from '@tanstack/react-query'
import { Link } from 'react-router-dom'
import { StatusTag } from '@/desk/StatusTag'
import { toneOf } from '@/domain/orders/status'
import { workbench, type Workbench } from '@/domain/orders/workbench'
import { toFen, yuan } from '@/lib/money'
import { paths } from '@/lib/paths'
import { session, useSession } from '@/lib/session'
import { formatTime } from '@/lib/time'
import { ButtonLink } from '@/ui/Button'
import { Icon, type IconName } from '@/ui/Icon'
import { ProductImage } from '@/ui/ProductImage'
import { Empty, ErrorState, Loading } from '@/ui/States'
import styles from './workbench.module.css'

export const loader = (client: QueryClient) => () => {
  const uid = session.get()?.User.uid
  if (uid) void client.prefetchQuery(workbench(uid))
  return null
}

const WORK: readonly { key: keyof Workbench['Counts']; label: string; icon: IconName; to: string }[] = [
  { key: 'PendingApproval', label: '待我审批', icon: 'approve', to: paths.approvals() },
  { key: 'OwnInApproval', label: '审批中', icon: 'clock', to: paths.orders({ Status: 'pending_approval' }) },
  { key: 'PendingPayment', label: '待支付', icon: 'wallet', to: paths.orders({ Status: 'unpaid' }) },
  { key: 'PendingShipment', label: '待发货', icon: 'box', to: paths.orders({ Status: 'pending_shipment' }) },
  { key: 'PendingReceipt', label: '待收货', icon: 'truck', to: paths.orders({ Status: 'pending_receipt' }) },
  { key: 'QuotedInquiries', label: '询价已报价', icon: 'tag', to: paths.inquiries({ Status: 'quoted' }) },
]

function Budgets({ rows }: { rows: Workbench['Budgets'] }) {
  return (
    <section className={styles.card} aria-label="预算">
      <h2>可用预算</h2>
      {!rows.length && <p className={styles.quiet}>没有可用的预算</p>}
      {rows.map((row) => {
        const share = toFen(row.Amount) > 0 ? Math.max(0, Math.min(100, (toFen(row.Available) / toFen(row.Amount)) * 100)) : 0
        return (
          <div key={row.Id} className={styles.budget}>
            <p>
              {row.Name}
              <small>
                {row.PeriodFrom} 至 {row.PeriodTo}
              </small>
            </p>
            <b className={toFen(row.Available) < 0 ? styles.over : undefined}>{yuan(row.Available)}</b>
            <span className={styles.meter} role="img" aria-label={`可用 ${Math.round(share)}%`}>
              <i style={{ width: `${share}%` }} />
            </span>
            <dl>
              {[['额度', row.Amount], ['已预占', row.Reserved], ['已使用', row.Consumed]].map(([name = '', figure = '']) => (
                <div key={name}>
                  <dt>{name}</dt>
                  <dd>{yuan(figure)}</dd>
                </div>
              ))}
            </dl>
          </div>
        )
      })}
    </section>
  )
}

const goodsOf = ({ Lines: lines }: Workbench['RecentOrders'][number]): string => (lines.length > 1 ? `${lines[0]?.Name ?? ''} 等 ${lines.length} 种商品` : (lines[0]?.Name ?? ''))

function Recent({ rows }: { rows: Workbench['RecentOrders'] }) {
  return (
    <section className={styles.card} aria-label="最近订单">
      <header>
        <h2>最近订单</h2>
        <Link to={paths.orders()}>全部订单</Link>
      </header>
      {!rows.length && <Empty title="还没有订单" icon="order" action={<ButtonLink to={paths.products()} look="primary">去选购商品</ButtonLink>} />}
      <ul>
        {rows.map((row) => (
          <li key={row.OrderNo} className={styles.order}>
            <div>
              <Link to={paths.order(row.OrderNo)}>{goodsOf(row)}</Link>
              <small>
                {row.OrderNo} · <time dateTime={row.CreatedAt}>{formatTime(row.CreatedAt)}</time> · {row.Requester.Name}
              </small>
            </div>
            <b>{yuan(row.Amounts.Total)}</b>
            <StatusTag text={row.StatusText} tone={toneOf(row.Status)} />
          </li>
        ))}
      </ul>
    </section>
  )
}

function Often({ rows }: { rows: Workbench['FrequentlyBought'] }) {
  if (!rows.length) return null
  return (
    <section className={styles.card} aria-label="常购商品">
      <h2>常购商品</h2>
      <ul className={styles.often}>
        {rows.map((row) => (
          <li key={row.ProductCode}>
            <Link to={paths.product(row.ProductCode)}>
              <ProductImage src={row.ImageUrl} alt="" />
              <span>{row.CustomerProductName}</span>
              <b>{yuan(row.CustomerPrice)}</b>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  )
}

/** Today's work of this person, in one call. */
export function Component() {
  const person = useSession()
  const uid = person?.User.uid ?? ''
  const { data, error, refetch } = useQuery(workbench(uid))
  if (error && !data) return <ErrorState error={error} onRetry={() => void refetch()} />
  if (!data) return <Loading height={640} />
  return (
    <div className={styles.page}>
      <section className={styles.card} aria-label="今日待办">
        <h1>{person?.User.nname}，今天的待办</h1>
        <ul className={styles.work}>
          {WORK.map(({ key, label, icon, to }) => (
            <li key={key}>
              <Link to={to}>
                <Icon name={icon} size={24} />
                <span>{label}</span>
                <b className={data.Counts[key] > 0 ? styles.some : undefined}>{data.Counts[key]}</b>
              </Link>
            </li>
          ))}
        </ul>
      </section>
      <div className={styles.two}>
        <Recent rows={data.RecentOrders} />
        <Budgets rows={data.Budgets} />
      </div>
      <Often rows={data.FrequentlyBought} />
    </div>
  )
}
