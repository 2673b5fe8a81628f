import { Link } from 'react-router-dom'
import { StatusTag } from '@/desk/StatusTag'
import { toneOf } from '@/domain/orders/status'
import type { Workbench } from '@/domain/orders/workbench'
import { yuan } from '@/lib/money'
import { paths } from '@/lib/paths'
import { prependBrand } from '@/lib/productTitle'
import { formatTime } from '@/lib/time'
import { ButtonLink } from '@/ui/Button'
import { Empty } from '@/ui/States'
import styles from './workbench.module.css'

type States = NonNullable<Workbench['States']>
type Row = NonNullable<Workbench['RecentOrders']>[number]

const NAMES: Readonly<Record<string, string>> = {
  pending_approval: '待审批',
  unpaid: '待支付',
  pending_confirm: '待确认',
  pending_shipment: '待发货',
  partly_shipped: '部分发货',
  pending_receipt: '待收货',
}

function goodsOf({ FirstBrand, FirstName, LineCount }: Row): string {
  const first = prependBrand(FirstBrand, FirstName)
  return LineCount > 1 ? `${first} 等 ${LineCount} 种商品` : first
}

/** The open orders in the user's data scope by state, and the latest orders. */
export function Orders({
  states,
  rows,
  scope,
}: {
  states: States
  rows: readonly Row[]
  scope: string
}) {
  return (
    <section className={styles.card} aria-label="订单">
      <header>
        <h2>
          订单进度<small>{scope}</small>
        </h2>
        <Link className="touch" to={paths.orders()}>
          全部订单
        </Link>
      </header>
      <ul className={styles.states}>
        {states.map(({ Status, Count }) => (
          <li key={Status}>
            <Link to={paths.orders({ Status })}>
              <b className={Count > 0 ? styles.some : undefined}>{Count}</b>
              {NAMES[Status] ?? Status}
            </Link>
          </li>
        ))}
      </ul>
      {rows.length > 0 ? (
        <h3 className={styles.sub}>最近订单</h3>
      ) : (
        <Empty
          title="还没有订单"
          icon="order"
          action={
            <ButtonLink to={paths.products()} look="primary">
              去选购商品
            </ButtonLink>
          }
        />
      )}
      <ul>
        {rows.map((row) => (
          <li key={row.OrderNo} className={styles.order}>
            <div>
              <Link to={paths.order(row.OrderNo)}>{goodsOf(row)}</Link>
              <small>
                {row.OrderNo} · <time dateTime={row.CreatedAt}>{formatTime(row.CreatedAt)}</time> ·{' '}
                {row.Requester}
              </small>
            </div>
            <b>{yuan(row.Total)}</b>
            <StatusTag text={row.StatusText} tone={toneOf(row.Status)} />
          </li>
        ))}
      </ul>
    </section>
  )
}
