import { useQuery } from '@tanstack/react-query'
import { Button, type TableColumnType } from 'antd'
import { Link } from 'react-router-dom'
import { moneyColumn, textColumn, timeColumn } from '@/desk/columns'
import { DataTable } from '@/desk/DataTable'
import { DocumentCard } from '@/desk/DocumentPage'
import {
  getDocumentNo,
  getQuantityText,
  statementLines,
  type StatementDetail,
  type StatementLine,
} from '@/domain/invoices/statements'
import { yuan } from '@/lib/money'
import { paths } from '@/lib/paths'
import { Tabs } from '@/ui/Tabs'
import { FIGURES, toLines, type LineFilters } from './filters'
import styles from './detail.module.css'

const addressOf = ({ Kind, Reference }: StatementLine): string | null =>
  Kind === 'return'
    ? paths.returnOrder(Reference)
    : Kind === 'invoice'
      ? paths.invoices({ Keyword: Reference })
      : null

/** The order of the line, and its own document if any. */
function Papers({ row }: { row: StatementLine }) {
  const to = addressOf(row)
  const document = getDocumentNo(row)
  return (
    <span className={styles.papers}>
      {row.OrderNo && <Link to={paths.order(row.OrderNo)}>{row.OrderNo}</Link>}
      {document && (
        <small title={document}>{to ? <Link to={to}>{document}</Link> : document}</small>
      )}
    </span>
  )
}

const COLUMNS: TableColumnType<StatementLine>[] = [
  textColumn<StatementLine>('类型', ({ KindText }) => (
    <span className={styles.kind}>{KindText}</span>
  )),
  timeColumn<StatementLine>('发生时间', ({ At }) => At),
  { title: '订单与单据', render: (_, row) => <Papers row={row} /> },
  textColumn<StatementLine>('摘要', ({ Text }) => <span className={styles.whole}>{Text}</span>),
  textColumn<StatementLine>('数量', getQuantityText, { align: 'right' }),
  moneyColumn<StatementLine>('单价', ({ UnitPrice }) => UnitPrice),
  moneyColumn<StatementLine>('金额（含税）', ({ Amount }) => Amount),
  moneyColumn<StatementLine>('税额', ({ Tax, Kind }) =>
    Kind === 'payment' || Kind === 'refund' ? null : Tax,
  ),
]

interface Props {
  data: StatementDetail
  filters: LineFilters
  setFilters: (change: Partial<LineFilters>) => void
  onDispute: (line: StatementLine) => void
}

/** The lines of a figure, or all lines. */
export function Lines({ data, filters, setFilters, onDispute }: Props) {
  const {
    data: page,
    error,
    refetch,
    isPlaceholderData,
  } = useQuery(statementLines(data.Id, toLines(filters)))
  const chosen = FIGURES.find(({ figure }) => figure === filters.Figure)
  const dispute: TableColumnType<StatementLine> = {
    title: '操作',
    fixed: 'right',
    render: (_, row) => (
      <Button
        type="link"
        size="small"
        className={styles.flush ?? ''}
        aria-label={`对 ${row.Text} 提异议`}
        onClick={() => onDispute(row)}
      >
        提异议
      </Button>
    ),
  }
  return (
    <DocumentCard title="对账明细" id="lines" isOnScreenOnly>
      <Tabs
        label="明细类型"
        value={filters.Figure ?? ''}
        tabs={[
          { key: '', label: '全部' },
          ...FIGURES.map(({ figure, lines }) => ({ key: figure, label: lines })),
        ]}
        onChange={(Figure) => setFilters({ Figure: Figure || undefined })}
      />
      {chosen && page && (
        <p className={styles.total} role="status">
          {chosen.label} <b>{yuan(chosen.of(data))}</b>，由以下 {page.Total} 条明细构成
          {chosen.figure === 'paid' && '（退款为负）'}
          {chosen.figure === 'invoiced' && '（红字为负）'}
        </p>
      )}
      <div aria-busy={isPlaceholderData}>
        <DataTable<StatementLine>
          rowKey="Id"
          page={page}
          columns={data.CanAnswer ? [...COLUMNS, dispute] : COLUMNS}
          loading={isPlaceholderData}
          error={error}
          onRetry={() => void refetch()}
          onPage={setFilters}
          empty={{
            title: chosen ? `本期没有${chosen.lines}` : '本期没有明细',
            text: '期初应付由上期结转',
          }}
        />
      </div>
    </DocumentCard>
  )
}
