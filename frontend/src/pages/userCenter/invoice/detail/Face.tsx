import { Link } from 'react-router-dom'
import { DocumentCard } from '@/desk/DocumentPage'
import type { InvoiceDetail } from '@/domain/invoices/invoices'
import { getInvoiceLineTitle, rateText } from '@/domain/invoices/status'
import { yuan } from '@/lib/money'
import { paths } from '@/lib/paths'
import styles from './detail.module.css'

type Party = InvoiceDetail['Buyer']

function PartyFacts({ title, party }: { title: string; party: Party }) {
  const rows = [
    ['名称', party.Name],
    ['税号', party.TaxNumber],
    ['地址、电话', `${party.Address} ${party.Phone}`],
    ['开户行、账号', `${party.Bank} ${party.BankAccount}`],
  ]
  return (
    <div>
      <h3>{title}</h3>
      <dl className={styles.facts}>
        {rows.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value?.trim() || '—'}</dd>
          </div>
        ))}
      </dl>
    </div>
  )
}

function Lines({ data }: { data: InvoiceDetail }) {
  const isPartlyRed = data.Lines.some(({ RedQuantity }) => RedQuantity > 0)
  const names = [
    '货物或服务名称',
    '订单号',
    '数量',
    ...(isPartlyRed ? ['红冲（含在途）'] : []),
    '含税单价',
    '不含税金额',
    '税率',
    '税额',
    '价税合计',
  ]
  return (
    <div className={styles.scroll} tabIndex={0} role="region" aria-label="发票明细">
      <table className={styles.table}>
        <thead>
          <tr>
            {names.map((name) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {data.Lines.map((line) => (
            <tr key={line.Id}>
              <td>
                {getInvoiceLineTitle(line)}
                {getInvoiceLineTitle(line) !== line.Name && <small>票面名称：{line.Name}</small>}
                <small>
                  {[line.Model, line.TaxCode && `税收编码 ${line.TaxCode}`]
                    .filter(Boolean)
                    .join(' · ')}
                </small>
              </td>
              <td>
                <Link to={paths.order(line.OrderNo)}>{line.OrderNo}</Link>
              </td>
              <td>
                {line.Quantity} {line.Unit}
              </td>
              {isPartlyRed && <td>{line.RedQuantity || '—'}</td>}
              <td>{yuan(line.UnitPrice)}</td>
              <td>{yuan(line.Net)}</td>
              <td>{rateText(line.TaxRate)}</td>
              <td>{yuan(line.Tax)}</td>
              <td>{yuan(line.Amount)}</td>
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row" colSpan={isPartlyRed ? 5 : 4}>
              合计
            </th>
            <td>{yuan(data.Net)}</td>
            <td />
            <td>{yuan(data.Tax)}</td>
            <td>{yuan(data.Amount)}</td>
          </tr>
        </tfoot>
      </table>
    </div>
  )
}

/**
 * The content of the invoice: parties, lines with their orders, totals, and the amount in Chinese
 * numerals.
 */
export function Face({ data }: { data: InvoiceDetail }) {
  const codes = [
    data.InvoiceCode && `发票代码 ${data.InvoiceCode}`,
    data.InvoiceNo && `发票号码 ${data.InvoiceNo}`,
  ].filter(Boolean)
  return (
    <DocumentCard title="发票内容" note={codes.join(' · ')}>
      <div className={styles.parties}>
        <PartyFacts title="购买方" party={data.Buyer} />
        <PartyFacts title="销售方" party={data.Seller} />
      </div>
      <Lines data={data} />
      <dl className={styles.sums}>
        <div>
          <dt>价税合计（大写）</dt>
          <dd>{data.Capitals}</dd>
        </div>
        <div>
          <dt>价税合计（小写）</dt>
          <dd className={styles.total}>{yuan(data.Amount)}</dd>
        </div>
        {data.RedAmount !== '0.00' && (
          <div>
            <dt>其中已红冲</dt>
            <dd>{yuan(data.RedAmount)}</dd>
          </div>
        )}
        {data.Remark && (
          <div>
            <dt>备注</dt>
            <dd>{data.Remark}</dd>
          </div>
        )}
      </dl>
    </DocumentCard>
  )
}
