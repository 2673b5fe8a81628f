import { Link } from 'react-router-dom'
import { DocumentCard } from '@/desk/DocumentPage'
import { orderAllocations } from '@/domain/orders/allocations'
import type { OrderDetail } from '@/domain/orders/orders'
import { addressLine } from '@/lib/address'
import { paths } from '@/lib/paths'
import styles from './detail.module.css'

/** The choices of the checkout and the other states of the order. */
export function Facts({ data }: { data: OrderDetail }) {
  const { Address: to, InvoiceTitle: title } = data
  const dimensions = orderAllocations(data.Allocations)
  const blocks: {
    title: string
    more?: { to: string; text: string }
    rows: [string, string | null | undefined][]
  }[] = [
    {
      title: '收货信息',
      rows: [
        ['收货人', `${to.Receiver ?? ''} ${to.Mobile ?? ''}`],
        ['地址', addressLine(to)],
        ['送货时间', data.DeliveryWishText],
        ['承诺交期', `确认后 ${data.PromisedDays} 天`],
      ],
    },
    {
      title: '付款与预算',
      rows: [
        ['付款方式', data.PaymentKindText],
        ['结算状态', data.SettlementStatusText],
        ['预算', data.Budget?.Name],
        ...data.Earmarks.map(({ Name, EarmarkText }): [string, string] => [
          '专项预算',
          `${Name}（${EarmarkText}）`,
        ]),
        ...(dimensions.some(([label]) => label === '成本中心')
          ? []
          : [['成本中心', data.CostCenter] as [string, string]]),
        ...dimensions,
        ['采购单号', data.PurchaseOrderNo],
      ],
    },
    {
      title: '发票信息',
      ...(data.InvoiceStatus === 'none'
        ? {}
        : { more: { to: paths.invoices({ OrderNo: data.OrderNo }), text: '查看发票' } }),
      rows: [
        ['发票种类', data.InvoiceKindText],
        ['抬头', title.Title],
        ['税号', title.TaxNumber],
        ['开票状态', data.InvoiceStatusText],
        ['备注', data.Remark],
      ],
    },
  ]
  return (
    <DocumentCard title="订单信息">
      <div className={styles.blocks}>
        {blocks.map((block) => (
          <div key={block.title}>
            <h3>
              {block.title}
              {block.more && <Link to={block.more.to}>{block.more.text}</Link>}
            </h3>
            <dl>
              {block.rows.map(([name, value]) => (
                <div key={`${name}${name === '专项预算' ? value : ''}`}>
                  <dt>{name}</dt>
                  <dd>{value?.trim() || '—'}</dd>
                </div>
              ))}
            </dl>
          </div>
        ))}
      </div>
    </DocumentCard>
  )
}
