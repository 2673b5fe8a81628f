import type { DecidedOrder } from '@/domain/approvals/approvals'
import { orderAllocations } from '@/domain/orders/allocations'
import { toFen, yuan, type Money } from '@/lib/money'
import { getMallTitle, getProductTitle } from '@/lib/productTitle'
import { formatDate } from '@/lib/time'
import { cx } from '@/ui/cx'
import { ProductImage } from '@/ui/ProductImage'
import styles from './approval.module.css'

/** Compare a price with another: 高 25.0%, 低 3.2% or 持平. */
function Against({ price, other }: { price: Money; other: Money }) {
  const difference = toFen(price) - toFen(other)
  if (!difference || !toFen(other)) return <em>持平</em>
  return (
    <em
      className={cx(difference > 0 ? styles.dearer : styles.cheaper)}
    >{`${difference > 0 ? '高' : '低'} ${((Math.abs(difference) / toFen(other)) * 100).toFixed(1)}%`}</em>
  )
}

function Line({ line }: { line: DecidedOrder['Lines'][number] }) {
  const mall = getMallTitle(line, line.MallName)
  return (
    <li>
      <span className={styles.picture}>
        <ProductImage src={line.ImageUrl} alt="" />
      </span>
      <span className={styles.against}>
        {getProductTitle(line)}
        {mall && <small>商城品名：{mall}</small>}
        <small>编码 {line.ProductCode}</small>
        {line.AskedBy && (
          <small>{`申请人 ${line.AskedBy}${line.CostCenter && ` · 成本中心 ${line.CostCenter}`}`}</small>
        )}
        <small>
          {line.Last ? (
            <>
              上次 {yuan(line.Last.UnitPrice)}{' '}
              <Against price={line.UnitPrice} other={line.Last.UnitPrice} />（
              {formatDate(line.Last.At)} 采购 {line.Last.Quantity} {line.Unit}）
            </>
          ) : (
            '本企业首次采购'
          )}
        </small>
        <small>
          市场价 {yuan(line.MallPrice)} <Against price={line.UnitPrice} other={line.MallPrice} />
        </small>
      </span>
      <span>
        {yuan(line.UnitPrice)} × {line.Quantity} {line.Unit}
      </span>
      <b>{yuan(line.Amount)}</b>
    </li>
  )
}

/** The goods, with the enterprise's last price and the market price. */
export function Lines({ order }: { order: DecidedOrder }) {
  const dimensions = orderAllocations(order.Allocations)
  return (
    <section aria-label="商品">
      <h3>商品（{order.Lines.length} 种）</h3>
      <ul className={styles.goods}>
        {order.Lines.map((line) => (
          <Line key={line.Id} line={line} />
        ))}
      </ul>
      <p className={styles.amounts}>
        商品 {yuan(order.Goods)} · 运费 {yuan(order.Freight)} · {order.PaymentKindText}
        {!dimensions.length && order.CostCenter && ` · 成本中心 ${order.CostCenter}`}
        {dimensions.map(([label, text]) => ` · ${label} ${text}`).join('')}
        {order.PurchaseOrderNo && ` · 采购单号 ${order.PurchaseOrderNo}`}
      </p>
    </section>
  )
}
