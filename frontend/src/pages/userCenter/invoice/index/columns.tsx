import { InputNumber, type TableColumnType } from 'antd'
import { Link } from 'react-router-dom'
import { moneyColumn } from '@/desk/columns'
import type { AvailableRow } from '@/domain/invoices/invoices'
import { rateText } from '@/domain/invoices/status'
import { times, yuan } from '@/lib/money'
import { paths } from '@/lib/paths'
import { getMallTitle, getProductTitle } from '@/lib/productTitle'
import { formatDate } from '@/lib/time'
import { Tag } from '@/ui/Small'
import styles from './apply.module.css'
import { getKey, type Selection } from './selection'

function Goods({ row }: { row: AvailableRow }) {
  const title = getProductTitle(row)
  const mall = getMallTitle(row, row.MallName)
  return (
    <span className={styles.goods}>
      {row.Kind === 'freight' ? <Tag>运费</Tag> : <span title={title}>{title}</span>}
      {mall && <small>商城品名：{mall}</small>}
      <small>
        {row.Kind === 'freight'
          ? '订单完成后可开，每单一次'
          : [row.ProductCode, row.Model].filter(Boolean).join(' · ')}
      </small>
    </span>
  )
}

function Origin({ row }: { row: AvailableRow }) {
  return (
    <span className={styles.origin}>
      <Link to={paths.order(row.OrderNo)}>{row.OrderNo}</Link>
      <small>
        {[formatDate(row.OrderedAt), row.Department, row.Requester.Name]
          .filter(Boolean)
          .join(' · ')}
      </small>
      <small className={styles.title} title={`下单时抬头：${row.InvoiceTitle}`}>
        {row.PurchaseOrderNo && `采购单号 ${row.PurchaseOrderNo} · `}
        抬头 {row.InvoiceTitle || '—'}
      </small>
    </span>
  )
}

/** Why other received goods are missing here. */
const explainMissing = ({
  ReceivedQuantity,
  ReturnedQuantity,
  AppliedQuantity,
  InvoicedQuantity,
}: AvailableRow): string =>
  [
    `已收 ${ReceivedQuantity}`,
    ReturnedQuantity > 0 && `退货 ${ReturnedQuantity}`,
    AppliedQuantity > 0 && `申请中 ${AppliedQuantity}`,
    InvoicedQuantity > 0 && `已开 ${InvoicedQuantity}`,
  ]
    .filter(Boolean)
    .join('，')

function Open({ row }: { row: AvailableRow }) {
  return (
    <span className={styles.open}>
      {row.AvailableQuantity} {row.Unit}
      {row.Kind === 'line' && <small>{explainMissing(row)}</small>}
    </span>
  )
}

export function availableColumns(
  selection: Selection,
  onQuantity: (row: AvailableRow, quantity: number) => void,
): TableColumnType<AvailableRow>[] {
  const quantityOf = (row: AvailableRow): number | undefined =>
    selection.all ? row.AvailableQuantity : selection.rows.get(getKey(row))?.quantity
  return [
    { title: '商品', render: (_, row) => <Goods row={row} /> },
    { title: '订单', render: (_, row) => <Origin row={row} /> },
    {
      title: '含税单价',
      align: 'right',
      render: (_, row) => (
        <span className={styles.open}>
          {yuan(row.UnitPrice)}
          {row.TaxRate && <small>税率 {rateText(row.TaxRate)}</small>}
        </span>
      ),
    },
    { title: '可开票', align: 'right', render: (_, row) => <Open row={row} /> },
    {
      title: '本次开票',
      align: 'right',
      width: 104,
      render: (_, row) =>
        row.Kind === 'freight' ? (
          1
        ) : (
          <InputNumber
            min={1}
            max={row.AvailableQuantity}
            precision={0}
            style={{ width: 84 }}
            value={quantityOf(row) ?? null}
            disabled={selection.all}
            placeholder={String(row.AvailableQuantity)}
            aria-label={`${row.OrderNo} ${getProductTitle(row)} 本次开票数量`}
            onChange={(value) => value && onQuantity(row, value)}
          />
        ),
    },
    moneyColumn<AvailableRow>('含税金额', (row) =>
      times(row.UnitPrice, quantityOf(row) ?? row.AvailableQuantity),
    ),
  ]
}
