import { Link } from 'react-router-dom'
import type { ReturnDetail } from '@/domain/returns/returns'
import { yuan } from '@/lib/money'
import { paths } from '@/lib/paths'
import { ProductImage } from '@/ui/ProductImage'
import styles from './detail.module.css'

/** What was asked for, what was found, and what came of it. */
export function Lines({ data }: { data: ReturnDetail }) {
  const isInspected = data.Lines.some(({ Accepted }) => Accepted !== null)
  const isRefunded = data.RefundedAt !== null
  return (
    <section className={styles.card} aria-label="售后商品">
      <h2>售后商品</h2>
      <div className={styles.scroll}>
        <table className={styles.table}>
          <thead>
            <tr>
              <th>商品</th>
              <th>单价（含税）</th>
              <th>申请数量</th>
              {isInspected && <th>通过数量</th>}
              {isInspected && <th>检测结果</th>}
              {isRefunded && <th>退款（含税）</th>}
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
                        {line.Opened && ' · 已拆封'}
                      </small>
                    </span>
                  </span>
                </td>
                <td>{yuan(line.UnitPrice)}</td>
                <td>
                  {line.Quantity} {line.Unit}
                </td>
                {isInspected && <td>{line.Accepted ?? '—'}</td>}
                {isInspected && (
                  <td>
                    {line.FindingText || '—'}
                    {line.FindingNote && <small>{line.FindingNote}</small>}
                  </td>
                )}
                {isRefunded && (
                  <td>
                    <b className={styles.price}>{yuan(line.Amount)}</b>
                    <small>含税额 {yuan(line.Tax)}</small>
                  </td>
                )}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {isRefunded && (
        <p className={styles.total}>
          退款合计 <b className={styles.price}>{yuan(data.RefundAmount)}</b>
        </p>
      )}
    </section>
  )
}
