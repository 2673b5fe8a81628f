import type { TableColumnType } from 'antd'
import { Link } from 'react-router-dom'
import { moneyColumn, textColumn } from '@/desk/columns'
import { StatusTag } from '@/desk/StatusTag'
import { getTone, type CancelRow } from '@/domain/cancels/cancels'
import { paths } from '@/lib/paths'
import { getProductTitle } from '@/lib/productTitle'
import { formatTime } from '@/lib/time'
import styles from './cancels.module.css'

function Numbers({ row: { Id, CancelNo, OrderNo } }: { row: CancelRow }) {
  return (
    <span className={styles.two}>
      <Link to={paths.cancel(Id)}>{CancelNo}</Link>
      <small>
        订单 <Link to={paths.order(OrderNo)}>{OrderNo}</Link>
      </small>
    </span>
  )
}

function Goods({ row: { Id, IsWhole, Lines: lines } }: { row: CancelRow }) {
  const [first] = lines
  return (
    <Link to={paths.cancel(Id)} className={styles.goods}>
      {first ? getProductTitle(first) : '整单取消'}
      <small>
        {IsWhole ? '整单取消' : '取消部分商品'}
        {first &&
          ` · ${lines.length > 1 ? `共 ${lines.length} 种商品` : `${first.Quantity} ${first.Unit}`}`}
      </small>
    </Link>
  )
}

/** The state, with the deadline or the time of the decision below. */
function State({ row }: { row: CancelRow }) {
  const when = row.Status === 'pending' ? row.DecideBy : row.DecidedAt
  return (
    <span className={styles.two}>
      <span>
        <StatusTag text={row.StatusText} tone={getTone(row.Status)} />
      </span>
      {when && <small>{`${formatTime(when)}${row.Status === 'pending' ? ' 前处理' : ''}`}</small>}
    </span>
  )
}

function RequesterAndTime({ row: { Requester, CreatedAt } }: { row: CancelRow }) {
  return (
    <span className={styles.two}>
      {Requester.Name}
      <small>{formatTime(CreatedAt)}</small>
    </span>
  )
}

export const COLUMNS: TableColumnType<CancelRow>[] = [
  { title: '取消单号', render: (_, row) => <Numbers row={row} /> },
  { title: '取消商品', render: (_, row) => <Goods row={row} /> },
  textColumn<CancelRow>('原因', ({ ReasonText, Reason }) => (
    <span className={styles.reason}>
      {ReasonText === '其他原因' && Reason ? Reason : ReasonText}
    </span>
  )),
  moneyColumn<CancelRow>('应付减少', ({ Reduction }) => Reduction),
  { title: '状态', render: (_, row) => <State row={row} /> },
  { title: '申请人', render: (_, row) => <RequesterAndTime row={row} /> },
]
