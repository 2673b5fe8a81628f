import { Button, type TableColumnType } from 'antd'
import { Link } from 'react-router-dom'
import { moneyColumn, statusColumn, textColumn, timeColumn } from '@/desk/columns'
import type { ApplicationRow, InvoiceRow } from '@/domain/invoices/invoices'
import { Files } from '@/domain/invoices/Files'
import { Marks } from '@/domain/invoices/Marks'
import { applicationTone, invoiceTone } from '@/domain/invoices/status'
import { paths } from '@/lib/paths'
import { formatDate } from '@/lib/time'
import { Tag } from '@/ui/Small'
import styles from './records.module.css'

interface ApplicationLinkProps {
  applicationNo: string
  label?: string
  onApplication: (no: string) => void
}

/** The number of an application. A click opens it. */
const ApplicationLink = ({ applicationNo, label = '', onApplication }: ApplicationLinkProps) => (
  <Button
    type="link"
    size="small"
    className={styles.flush ?? ''}
    onClick={() => onApplication(applicationNo)}
  >
    {label}
    {applicationNo}
  </Button>
)

interface NumberedProps {
  row: InvoiceRow
  onApplication: (no: string) => void
}

function Numbered({ row, onApplication }: NumberedProps) {
  return (
    <span className={styles.number}>
      <span className={styles.invoice}>
        <Link to={paths.invoice(row.Id)}>{row.InvoiceNo || '待开具'}</Link>
        {row.IsRed && <Tag tone="bad">红字</Tag>}
      </span>
      <small>
        {row.KindText} · {row.InvoiceCode && `代码 ${row.InvoiceCode} · `}
        {row.LineCount} 行
      </small>
      <ApplicationLink
        applicationNo={row.ApplicationNo}
        label="申请单 "
        onApplication={onApplication}
      />
    </span>
  )
}

export const invoiceColumns = (
  onApplication: (no: string) => void,
): TableColumnType<InvoiceRow>[] => [
  {
    title: '发票号码、种类与申请单',
    render: (_, row) => <Numbered row={row} onApplication={onApplication} />,
  },
  textColumn<InvoiceRow>('抬头', ({ Title }) => (
    <span className={styles.title} title={Title}>
      {Title}
    </span>
  )),
  moneyColumn<InvoiceRow>('价税合计', ({ Amount }) => Amount),
  moneyColumn<InvoiceRow>('税额', ({ Tax }) => Tax),
  statusColumn<InvoiceRow>('状态', (row) => ({ text: row.StatusText, tone: invoiceTone(row) })),
  textColumn<InvoiceRow>('开票日期', ({ IssuedAt }) => formatDate(IssuedAt)),
  { title: '处理状态', render: (_, row) => <Marks marks={row.Marks} /> },
  { title: '文件', fixed: 'right', render: (_, row) => <Files invoice={row} /> },
]

export const applicationColumns = (
  onApplication: (no: string) => void,
): TableColumnType<ApplicationRow>[] => [
  {
    title: '申请单号',
    render: (_, { ApplicationNo }) => (
      <ApplicationLink applicationNo={ApplicationNo} onApplication={onApplication} />
    ),
  },
  textColumn<ApplicationRow>('种类', ({ KindText }) => KindText),
  textColumn<ApplicationRow>('抬头', ({ Title }) => (
    <span className={styles.title} title={Title}>
      {Title}
    </span>
  )),
  moneyColumn<ApplicationRow>('价税合计', ({ Amount }) => Amount),
  textColumn<ApplicationRow>(
    '内容',
    ({ LineCount, InvoiceCount }) => `${LineCount} 行 · ${InvoiceCount} 张`,
  ),
  {
    title: '状态',
    render: (_, row) => (
      <span className={styles.state}>
        <Tag tone={applicationTone(row.Status)}>{row.StatusText}</Tag>
        {row.Status === 'rejected' && row.Reason && <small title={row.Reason}>{row.Reason}</small>}
      </span>
    ),
  },
  textColumn<ApplicationRow>('申请人', ({ Applicant }) => Applicant.Name),
  timeColumn<ApplicationRow>('申请时间', ({ SubmittedAt }) => SubmittedAt),
]
