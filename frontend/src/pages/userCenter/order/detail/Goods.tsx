import { Link } from 'react-router-dom'
import type { OrderDetail } from '@/domain/orders/orders'
import { compareMoney, yuan } from '@/lib/money'
import { paths } from '@/lib/paths'
import { ProductImage } from '@/ui/ProductImage'
import styles from './detail.module.css'

/** What is otherwise with pieces of a line; nothing where nothing is. */
const Aside = ({ parts }: { parts: readonly [string, number][] }) => parts.map(([name, pieces]) => pieces > 0 && <small key={name}>{`${name} ${pieces}`}</small>)

/** The lines with what was shipped and received, and the amounts under them. */
export function Goods({ data }: { data: OrderDetail }) {
  return (
    <section className={styles.card} aria-label="商品">
      <h2>
        商品清单
        {data.Lines.some(({ ReceivedQuantity }) => ReceivedQuantity > 0) && (
          <Link className={styles.reviews} to={paths.review(data.OrderNo)}>
            {data.AllowedActions.includes('review') ? '评价商品' : '查看评价'}
          </Link>
        )}
      </h2>
      <div className={styles.scroll}>
        <table className={styles.table}>
          <thead>
            <tr>
              <th scope="col">商品</th>
              <th scope="col">单价（含税）</th>
              <th scope="col">数量</th>
              <th scope="col">已发 / 已收</th>
              <th scope="col">税率</th>
              <th scope="col">税额</th>
              <th scope="col">金额（含税）</th>
            </tr>
          </thead>
          <tbody>
            {data.Lines.map((line) => (
              <tr key={line.Id}>
                <td>
                  <span className={styles.what}>
                    <span className={styles.picture}>
                      <ProductImage src={line.ImageUrl} alt="" />
                    </span>
                    <span>
                      <Link to={paths.product(line.ProductCode)}>{line.Name}</Link>
                      <small>
                        编码 {line.ProductCode}
                        {line.CustomerCode && ` · 物料编码 ${line.CustomerCode}`}
                        {line.Model && ` · 型号 ${line.Model}`}
                      </small>
                      {line.AskedBy && <small>{`为 ${line.AskedBy} 采购${line.CostCenter && ` · 成本中心 ${line.CostCenter}`} · 申请 ${line.RequisitionNo}`}</small>}
                    </span>
                  </span>
                </td>
                <td>{yuan(line.UnitPrice)}</td>
                <td>
                  {line.Quantity} {line.Unit}
                  <Aside parts={[['已取消', line.CancelledQuantity], ['申请取消中', line.CancellingQuantity]]} />
                </td>
                <td>
                  {line.ShippedQuantity} / {line.ReceivedQuantity}
                  <Aside parts={[['售后中', line.ReturningQuantity], ['已退', line.ReturnedQuantity]]} />
                </td>
                <td>{Math.round(Number(line.TaxRate) * 100)}%</td>
                <td>{yuan(line.Tax)}</td>
                <td>{yuan(line.Amount)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <dl className={styles.sums}>
        <dt>商品金额（含税）</dt>
        <dd>{yuan(data.Amounts.Goods)}</dd>
        <dt>其中商品税额</dt>
        <dd>{yuan(data.Amounts.Tax)}</dd>
        <dt>运费</dt>
        <dd>{compareMoney(data.Amounts.Freight, '0.00') === 0 ? '免运费' : yuan(data.Amounts.Freight)}</dd>
        <dt>应付总额</dt>
        <dd className={styles.total}>{yuan(data.Amounts.Total)}</dd>
      </dl>
    </section>
  )
}
