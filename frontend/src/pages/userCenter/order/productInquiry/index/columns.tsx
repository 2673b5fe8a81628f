import type { TableColumnType } from 'antd'
import { Link } from 'react-router-dom'
import { statusColumn, textColumn, timeColumn } from '@/desk/columns'
import { getTone, type InquiryRow } from '@/domain/inquiries/inquiries'
import { yuan } from '@/lib/money'
import { paths } from '@/lib/paths'
import styles from './inquiries.module.css'

function RequestedProducts({ row: { InquiryNo, Lines: lines } }: { row: InquiryRow }) {
  const [first] = lines
  return (
    <Link to={paths.inquiryDetail(InquiryNo)} className={styles.wanted}>
      {first?.Name}
      <small>
        {first && `${first.Quantity} ${first.Unit}`}
        {lines.length > 1 && ` · 共 ${lines.length} 种商品`}
      </small>
    </Link>
  )
}

function Quote({ row }: { row: InquiryRow }) {
  const quoted = row.Lines.filter(({ QuotedPrice }) => QuotedPrice !== null)
  const price = quoted[0]?.QuotedPrice
  if (!price)
    return <span className={styles.quiet}>{row.Status === 'pending' ? '等待客服报价' : '—'}</span>
  return (
    <span className={styles.quote}>
      <b>{yuan(price)}</b>
      <small>
        {quoted.length > 1 && `等 ${quoted.length} 项 · `}
        {row.HasExpired ? '已过有效期' : `${row.ValidTo ?? ''} 前有效`}
      </small>
    </span>
  )
}

export const COLUMNS: TableColumnType<InquiryRow>[] = [
  {
    title: '询价单号',
    render: (_, row) => (
      <span className={styles.number}>
        <Link to={paths.inquiryDetail(row.InquiryNo)}>{row.InquiryNo}</Link>
        {row.Unread > 0 && <i>{row.Unread} 条新消息</i>}
      </span>
    ),
  },
  { title: '意向商品', render: (_, row) => <RequestedProducts row={row} /> },
  { title: '报价', render: (_, row) => <Quote row={row} /> },
  statusColumn<InquiryRow>('状态', ({ StatusText, Status }) => ({
    text: StatusText,
    tone: getTone(Status),
  })),
  textColumn<InquiryRow>(
    '询价人',
    ({ Requester, Department }) => `${Requester.Name}${Department ? ` · ${Department}` : ''}`,
  ),
  textColumn<InquiryRow>('期望到货', ({ NeedBy }) => NeedBy ?? '—'),
  timeColumn<InquiryRow>('询价时间', ({ CreatedAt }) => CreatedAt),
]
