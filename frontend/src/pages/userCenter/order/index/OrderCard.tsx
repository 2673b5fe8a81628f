import { Link } from 'react-router-dom'
import { StatusTag } from '@/desk/StatusTag'
import { OrderActions } from '@/domain/orders/OrderActions'
import type { OrderRow } from '@/domain/orders/orders'
import { toneOf } from '@/domain/orders/status'
import { yuan } from '@/lib/money'
import { paths } from '@/lib/paths'
import { getProductTitle } from '@/lib/productTitle'
import { formatTime } from '@/lib/time'
import { Checkbox } from '@/ui/Choice'
import { ProductImage } from '@/ui/ProductImage'
import styles from './order.module.css'

const MAX_LINES = 3

/** One order: a header strip, its goods, amount, state and actions. */
export function OrderCard({
  order,
  isTicked,
  onTick,
}: {
  order: OrderRow
  isTicked: boolean
  onTick: (isTicked: boolean) => void
}) {
  const more = order.Lines.length - MAX_LINES
  return (
    <article className={styles.card} aria-label={`订单 ${order.OrderNo}`}>
      <header className={styles.strip}>
        <Checkbox checked={isTicked} onChange={onTick} label={`选择订单 ${order.OrderNo}`} />
        <time dateTime={order.CreatedAt}>{formatTime(order.CreatedAt)}</time>
        <span>
          订单号{' '}
          <Link className="touch" to={paths.order(order.OrderNo)}>
            {order.OrderNo}
          </Link>
        </span>
        {order.PurchaseOrderNo && <span>采购单号 {order.PurchaseOrderNo}</span>}
        <span className={styles.who}>
          {order.Requester.Name}
          {order.Department && ` · ${order.Department}`}
        </span>
      </header>
      <div className={styles.body}>
        <ul className={styles.goods}>
          {order.Lines.slice(0, MAX_LINES).map((line) => (
            <li key={line.Id}>
              <span className={styles.picture}>
                <ProductImage src={line.ImageUrl} alt="" />
              </span>
              <span className={styles.name}>
                <Link to={paths.product(line.ProductCode)}>{getProductTitle(line)}</Link>
                <small>编码 {line.ProductCode}</small>
              </span>
              <span className={styles.price}>{yuan(line.UnitPrice)}</span>
              <span>
                × {line.Quantity} {line.Unit}
              </span>
            </li>
          ))}
          {more > 0 && (
            <li className={styles.more}>
              <Link className="touch" to={paths.order(order.OrderNo)}>
                另有 {more} 种商品，查看全部
              </Link>
            </li>
          )}
        </ul>
        <div className={styles.amount}>
          <b>{yuan(order.Amounts.Total)}</b>
          <small>{order.PaymentKindText}</small>
        </div>
        <div className={styles.state}>
          <StatusTag text={order.StatusText} tone={toneOf(order.Status)} />
          {order.AwaitsPayment && <StatusTag text="待支付" tone="warn" />}
          <Link className="touch" to={paths.order(order.OrderNo)}>
            订单详情
          </Link>
        </div>
        <div className={styles.acts}>
          <OrderActions order={order} size="s" isFolded />
        </div>
      </div>
    </article>
  )
}
