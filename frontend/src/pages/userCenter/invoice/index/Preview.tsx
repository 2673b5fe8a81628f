import type { Plan } from '@/domain/invoices/invoices'
import { rateText } from '@/domain/invoices/status'
import { yuan } from '@/lib/money'
import { cx } from '@/ui/cx'
import styles from './apply.module.css'

type Planned = Plan['Invoices'][number]

function Lines({ invoice: { Lines: lines, LineCount } }: { invoice: Planned }) {
  return (
    <>
      <div className={styles.scroll} tabIndex={0} role="region" aria-label="发票明细">
        <table className={styles.table}>
          <thead>
            <tr>
              {['商品', '数量', '含税单价', '不含税', '税率', '税额', '价税合计'].map((name) => (
                <th key={name} scope="col">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {lines.map((line) => (
              <tr key={line.OrderLineId ?? `freight-${line.OrderNo}`}>
                <td>
                  {line.Name}
                  <small>{line.OrderNo}</small>
                </td>
                <td>
                  {line.Quantity} {line.Unit}
                </td>
                <td>{yuan(line.UnitPrice)}</td>
                <td>{yuan(line.Net)}</td>
                <td>{rateText(line.TaxRate)}</td>
                <td>{yuan(line.Tax)}</td>
                <td>{yuan(line.Amount)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {LineCount > lines.length && (
        <p className={styles.capitals}>
          仅显示前 {lines.length} 行，共 {LineCount} 行
        </p>
      )}
    </>
  )
}

function Sheet({ invoice, open }: { invoice: Planned; open: boolean }) {
  return (
    <li>
      <details className={styles.sheet} open={open}>
        <summary>
          <span>
            第 {invoice.No} 张 · {invoice.Title}
          </span>
          <b>{yuan(invoice.Amount)}</b>
          <small>
            税号 {invoice.TaxNumber} · {invoice.LineCount} 行 · {invoice.OrderNos.length} 个订单
          </small>
          <small>
            不含税 {yuan(invoice.Net)} + 税额 {yuan(invoice.Tax)}
          </small>
        </summary>
        <Lines invoice={invoice} />
        <p className={styles.capitals}>价税合计（大写）：{invoice.Capitals}</p>
      </details>
    </li>
  )
}

/** Up to this number, details are expanded. */
const OPEN = 2

/** The resulting invoices with exact amounts. */
export function Preview({ plan, isStale }: { plan: Plan; isStale: boolean }) {
  return (
    <section
      className={cx(styles.preview, isStale && styles.stale)}
      aria-label="发票预览"
      aria-busy={isStale}
    >
      <div className={styles.total}>
        <h2>
          将开具 {plan.InvoiceCount} 张发票，共 {plan.LineCount} 行
        </h2>
        <span>不含税 {yuan(plan.Net)}</span>
        <span>税额 {yuan(plan.Tax)}</span>
        <span>
          价税合计 <b>{yuan(plan.Total)}</b>
        </span>
      </div>
      <p className={styles.hint}>
        单张价税合计不超过 {yuan(plan.AmountLimit)}，超出自动拆分。点击每张可展开明细。
      </p>
      <ol className={styles.sheets}>
        {plan.Invoices.map((invoice) => (
          <Sheet key={invoice.No} invoice={invoice} open={plan.Invoices.length <= OPEN} />
        ))}
      </ol>
    </section>
  )
}
