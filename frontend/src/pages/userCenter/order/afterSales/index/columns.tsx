import type { TableColumnType } from 'antd'
import { Link } from 'react-router-dom'
import { statusColumn, textColumn } from '@/desk/columns'
import { getTone, type ReturnRow } from '@/domain/returns/returns'
import { yuan } from '@/lib/money'
import { paths } from '@/lib/paths'
import { getProductTitle } from '@/lib/productTitle'
import { formatDate, formatTime } from '@/lib/time'
import { ProductImage } from '@/ui/ProductImage'
import styles from './returns.module.css'

function Goods({ row: { ReturnOrderId, Lines: lines } }: { row: ReturnRow }) {
  const [first] = lines
  return (
    <Link to={paths.returnOrder(ReturnOrderId)} className={styles.goods}>
      <span className={styles.picture}>
        <ProductImage src={first?.ImageUrl} alt="" />
      </span>
      <span className={styles.name}>
        {first && getProductTitle(first)}
        <small>
          {first && `${first.Quantity} ${first.Unit}`}
          {lines.length > 1 && ` · 共 ${lines.length} 种商品`}
        </small>
      </span>
    </Link>
  )
}

const TODO: Readonly<Record<string, string>> = { pending_send: '寄回', pending_confirm: '确认' }

/** The next step and its owner, or the refund. */
function Next({ row }: { row: ReturnRow }) {
  if (row.WaitsRed) return <span className={styles.quiet}>等待发票红冲</span>
  const yours =
    row.DueAt && !row.DueByUs ? (
      <span className={styles.yours}>
        请于 {formatDate(row.DueAt)} 前{TODO[row.Status] ?? '处理'}
      </span>
    ) : null
  if (Number(row.RefundAmount) > 0) {
    return (
      <span className={styles.next}>
        <b className={styles.money}>退款 {yuan(row.RefundAmount)}</b>
        {yours}
      </span>
    )
  }
  if (yours) return yours
  return (
    <span className={styles.quiet}>
      {row.DueByUs
        ? row.DueAt
          ? `商城最晚 ${formatDate(row.DueAt)} 前处理`
          : '等待商城处理'
        : '—'}
    </span>
  )
}

export const COLUMNS: TableColumnType<ReturnRow>[] = [
  {
    title: '售后单号',
    render: (_, row) => (
      <span className={styles.number}>
        <Link to={paths.returnOrder(row.ReturnOrderId)}>{row.ReturnOrderId}</Link>
        <small>
          订单 <Link to={paths.order(row.OrderNo)}>{row.OrderNo}</Link>
        </small>
        {row.Unread > 0 && <i>{row.Unread} 条新进展</i>}
      </span>
    ),
  },
  { title: '商品', render: (_, row) => <Goods row={row} /> },
  textColumn<ReturnRow>('方式', ({ KindText, ReasonText }) => (
    <span className={styles.kind}>
      {KindText}
      <small>{ReasonText}</small>
    </span>
  )),
  statusColumn<ReturnRow>('状态', ({ StatusText, Status }) => ({
    text: StatusText,
    tone: getTone(Status),
  })),
  { title: '进展', render: (_, row) => <Next row={row} /> },
  textColumn<ReturnRow>('申请人', ({ Requester, Department }) => (
    <span className={styles.kind}>
      {Requester.Name}
      <small>{Department}</small>
    </span>
  )),
  textColumn<ReturnRow>('申请时间', ({ CreatedAt }) => (
    <time dateTime={CreatedAt} className={styles.kind}>
      {formatDate(CreatedAt)}
      <small>{formatTime(CreatedAt).slice(-5)}</small>
    </time>
  )),
]
