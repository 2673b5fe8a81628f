import { Link } from 'react-router-dom'
import { DocumentCard } from '@/desk/DocumentPage'
import type { InvoiceDetail } from '@/domain/invoices/invoices'
import { addressLine } from '@/lib/address'
import { sum, yuan } from '@/lib/money'
import { paths } from '@/lib/paths'
import { formatTime } from '@/lib/time'
import styles from './detail.module.css'

/** The orders of the invoice, with their share and a link to all invoices of the order. */
function Orders({ data }: { data: InvoiceDetail }) {
  const numbers = [...new Set(data.Lines.map(({ OrderNo }) => OrderNo))]
  return (
    <div>
      <h3>对应订单</h3>
      <ul className={styles.links}>
        {numbers.map((OrderNo) => (
          <li key={OrderNo}>
            <Link to={paths.order(OrderNo)}>{OrderNo}</Link>
            <span>
              {yuan(
                sum(
                  data.Lines.filter((line) => line.OrderNo === OrderNo).map(({ Amount }) => Amount),
                ),
              )}
            </span>
            <Link to={paths.invoices({ OrderNo })}>该订单的全部发票</Link>
          </li>
        ))}
      </ul>
    </div>
  )
}

function Sent({ data: { Delivery: way } }: { data: InvoiceDetail }) {
  const rows =
    way.Way === 'paper'
      ? [
          [
            '收票地址',
            `${way.Address.Receiver ?? ''} ${way.Address.Mobile ?? ''} ${addressLine(way.Address)}`,
          ],
          ['快递', way.TrackingNo ? `${way.Carrier} ${way.TrackingNo}` : '尚未寄出'],
          ['寄出时间', formatTime(way.SentAt)],
        ]
      : [
          ['收票邮箱', way.Email],
          ['发送时间', way.MailedAt ? formatTime(way.MailedAt) : '尚未发送'],
        ]
  return (
    <div>
      <h3>交付 · {way.WayText}</h3>
      <dl className={styles.facts}>
        {rows.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value || '—'}</dd>
          </div>
        ))}
      </dl>
    </div>
  )
}

/** The related documents: application, orders, red or blue invoice, and delivery. */
export function Related({ data }: { data: InvoiceDetail }) {
  return (
    <DocumentCard title="关联与交付">
      <div className={styles.parties}>
        <div>
          <h3>开票申请与红蓝票</h3>
          <ul className={styles.links}>
            <li>
              <span>申请单</span>
              <Link
                to={paths.invoices({ View: 'applications', ApplicationNo: data.ApplicationNo })}
              >
                {data.ApplicationNo}
              </Link>
            </li>
            {data.OriginalId && (
              <li>
                <span>被冲减的蓝字发票</span>
                <Link to={paths.invoice(data.OriginalId)}>{data.OriginalNo}</Link>
              </li>
            )}
            {data.RedInvoices.map(({ Id = '', InvoiceNo }) => (
              <li key={Id}>
                <span>红字发票</span>
                <Link to={paths.invoice(Id)}>{InvoiceNo}</Link>
              </li>
            ))}
          </ul>
        </div>
        <Orders data={data} />
        <Sent data={data} />
      </div>
    </DocumentCard>
  )
}
