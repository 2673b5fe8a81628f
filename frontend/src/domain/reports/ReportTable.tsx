import { Table, type TableProps } from 'antd'
import type { ReactNode } from 'react'
import { DataTable } from '@/desk/DataTable'
import { yuan } from '@/lib/money'
import { PHONE, useMedia } from '@/lib/useMedia'
import { cx } from '@/ui/cx'
import type { ReportHead, ReportName, ReportPage, ReportRow } from './api'
import { formatChange, keyOf, getSortKey, type ReportColumn } from './columns'
import type { ReportFilters } from './filters'
import styles from './reports.module.css'

interface ReportTableProps {
  name: ReportName
  head: ReportHead
  page: ReportPage | undefined
  error: unknown
  retry: () => void
  columns: ReportColumn[]
  sort: string | undefined
  onChange: (change: Partial<ReportFilters>) => void
}

const BY_ITSELF: Readonly<Record<ReportName, string>> = {
  Order: '-day',
  OrderDetail: '-day',
  Product: '-amount',
  Department: 'tree',
  Purchaser: '-amount',
  Brand: '-amount',
  Savings: '-amount',
  Budget: '-amount',
}

const share = (percent: string | null): string => (percent === null ? '—' : `${percent}%`)

/** Return the total of a column over all pages. */
function sumOf(
  key: string,
  { Totals, Previous, LastYear, Savings, Budgets }: ReportHead,
): string | null {
  const sums: Record<string, string> = {
    ...(Budgets && {
      Budgeted: yuan(Budgets.Budgeted),
      Consumed: yuan(Budgets.Consumed),
      Reserved: yuan(Budgets.Reserved),
      Available: yuan(Budgets.Available),
      AtEnd: yuan(Budgets.AtEnd),
      Overrun: yuan(Budgets.Overrun),
    }),
    ...(Savings && {
      Market: yuan(Savings.Market),
      Saved: yuan(Savings.Saved),
      SavedPercent: share(Savings.SavedPercent),
      Agreed: yuan(Savings.Agreed),
      OffAgreement: yuan(Savings.OffAgreement),
      AgreedPercent: share(Savings.AgreedPercent),
    }),
    Orders: Totals.Orders.toLocaleString('en-US'),
    Quantity: Totals.Quantity.toLocaleString('en-US'),
    Amount: yuan(Totals.Amount),
    TaxAmount: yuan(Totals.TaxAmount),
    NetAmount: yuan(Totals.NetAmount),
    Previous: yuan(Previous.Amount),
    PreviousChange: formatChange(Previous.Change),
    LastYear: yuan(LastYear.Amount),
    Change: formatChange(LastYear.Change),
  }
  return sums[key] ?? null
}

const titleOf = ({ key, title, sorter }: ReportColumn, head: ReportHead): ReactNode => {
  const sum = sumOf(key, head)
  return sum === null ? (
    title
  ) : (
    <span className={cx(styles.summed, sorter === true && styles.arrowed)} data-sum={sum}>
      {title}
    </span>
  )
}

/**
 * The total row, fixed at the bottom of the window. antd fixes the row only if the table's summary
 * returns `Table.Summary` itself, not a component that renders one.
 */
const getSums = (columns: readonly ReportColumn[], head: ReportHead): ReactNode => (
  <Table.Summary fixed>
    <Table.Summary.Row className={styles.sum ?? ''}>
      {columns.map(({ key, align }, index) => (
        <Table.Summary.Cell key={key} index={index} align={align === 'right' ? 'right' : 'left'}>
          {index === 0 ? '合计（全部页）' : sumOf(key, head)}
        </Table.Summary.Cell>
      ))}
    </Table.Summary.Row>
  </Table.Summary>
)

const isAvailable = ({ key }: ReportColumn): boolean => key === 'Available'

/** Put 可用 of the budget report beside the name: a phone shows two columns without scrolling. */
export const forPhone = (columns: readonly ReportColumn[]): ReportColumn[] => [
  ...columns.slice(0, 1),
  ...columns.filter(isAvailable),
  ...columns.slice(1).filter((column) => !isAvailable(column)),
]

/** The rows, with the totals of all pages below them. */
export function ReportTable({
  name,
  head,
  page,
  error,
  retry,
  columns,
  sort = BY_ITSELF[name],
  onChange,
}: ReportTableProps) {
  const by = sort.replace('-', '')
  const isPhone = useMedia(PHONE)
  const shown = (isPhone ? forPhone(columns) : columns).map((column) =>
    column.sorter && getSortKey(name, column.key) === by
      ? { ...column, sortOrder: sort.startsWith('-') ? ('descend' as const) : ('ascend' as const) }
      : column,
  )
  const widened = shown.map((column) => ({ ...column, title: titleOf(column, head) }))
  const changed: TableProps<ReportRow>['onChange'] = (_page, _filters, sorter, { action }) => {
    if (action !== 'sort' || Array.isArray(sorter)) return
    const word = getSortKey(name, String(sorter.columnKey))
    const next = `${sorter.order === 'ascend' ? '' : '-'}${word}`
    if (word) onChange({ Sort: next === BY_ITSELF[name] ? undefined : next })
  }
  return (
    <DataTable<ReportRow>
      className={styles.table ?? ''}
      rowKey={keyOf[name]}
      page={page}
      columns={widened}
      error={error}
      onRetry={retry}
      onPage={onChange}
      onChange={changed}
      sticky
      showSorterTooltip={false}
      empty={{ title: '所选期间没有数据', text: '换一个统计期间或口径，或放宽筛选条件试试' }}
      summary={() => getSums(shown, head)}
    />
  )
}
