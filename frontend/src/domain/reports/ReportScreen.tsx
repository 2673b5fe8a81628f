import { Button, Checkbox, Popover } from 'antd'
import { lazy, Suspense, useMemo, useState } from 'react'
import { Page } from '@/desk/Page'
import { useFilters } from '@/lib/useFilters'
import { cx } from '@/ui/cx'
import { ErrorState, Loading, Skeleton } from '@/ui/States'
import type { ReportName } from './api'
import { BudgetPanel } from './BudgetPanel'
import { DrillFilterTags, Printed } from './drillFilters'
import { DrillBack } from './DrillLink'
import { getColumns, hiddenOf, formatHidden, NEGATIVE, type ReportColumn } from './columns'
import { Filters } from './Filters'
import { describePage } from './describePage'
import { BASIS_TEXT, basisOf, readFilters, TITLES } from './filters'
import { Kpis } from './Kpis'
import { ReportExport } from './ReportExport'
import { ReportTable } from './ReportTable'
import { SavingsPanels } from './SavingsPanels'
import styles from './reports.module.css'
import { useReport } from './useReport'
import { Views } from './Views'

const Subscriptions = lazy(
  () => import(/* webpackChunkName: "reportSubscriptions" */ './Subscriptions'),
)
const Charts = lazy(() => import(/* webpackChunkName: "reportCharts" */ './Charts'))

interface ChoiceProps {
  columns: readonly ReportColumn[]
  hidden: readonly string[]
  onChange: (hidden: string[]) => void
}

function ColumnChoice({ columns, hidden, onChange }: ChoiceProps) {
  const keys = columns.map(({ key }) => key)
  const away = keys.filter((key) => hidden.includes(key)).length
  // Keep chosen columns that this period does not have.
  const elsewhere = hidden.filter((key) => !keys.includes(key))
  return (
    <Popover
      trigger="click"
      placement="bottomRight"
      title="显示的列"
      content={
        <Checkbox.Group
          style={{ display: 'grid', gap: 6 }}
          options={columns.map(({ key, title, fixedHere }) => ({
            value: key,
            label: title,
            disabled: fixedHere ?? false,
          }))}
          value={keys.filter((key) => !hidden.includes(key))}
          onChange={(shown) =>
            onChange([...keys.filter((key) => !shown.includes(key)), ...elsewhere])
          }
        />
      }
    >
      <Button>列设置{away ? `（隐藏 ${away}）` : ''}</Button>
    </Popover>
  )
}

/** One of the reports: filters, totals, two charts and the rows. */
export function ReportScreen({ name }: { name: ReportName }) {
  const [filters, setFilters] = useFilters(readFilters)
  const { head, page, error, isStale, retry } = useReport(name, filters)
  const columns = useMemo(
    () => (head ? getColumns(name, filters, head) : []),
    [name, filters, head],
  )
  const [isSubscribing, setSubscribing] = useState(false)
  const hidden = hiddenOf(name, filters)
  const hide = (chosen: string[]): void =>
    setFilters({ Hide: formatHidden(chosen), PageIndex: filters.PageIndex })
  return (
    <Page
      title={TITLES[name]}
      extra={
        <span className={styles.head}>
          <Views name={name} filters={filters} />
          <Button onClick={() => setSubscribing(true)}>订阅</Button>
          <Button onClick={() => globalThis.print()}>打印</Button>
          <ReportExport name={name} filters={filters} total={page?.Total ?? head?.Total} />
        </span>
      }
    >
      <DrillBack />
      <Filters name={name} value={filters} shown={head} onChange={setFilters} />
      <p className={styles.basis}>
        {head && (
          <b>
            {head.From} 至 {head.To}：
          </b>
        )}
        {BASIS_TEXT[basisOf(filters)]}
      </p>
      <Printed name={name} filters={filters} />
      <DrillFilterTags name={name} filters={filters} onChange={setFilters} />
      {error && !head && <ErrorState error={error} onRetry={retry} />}
      {!error && !head && <Loading height={620} />}
      {head && (
        <div className={cx(isStale && styles.stale)} aria-busy={isStale}>
          <Kpis head={head} />
          <Suspense fallback={<Skeleton height={326} />}>
            <Charts name={name} head={head} filters={filters} />
          </Suspense>
          {head.Budgets && (
            <BudgetPanel
              totals={head.Budgets}
              onOverrunFirst={() => setFilters({ Sort: '-overrun' })}
            />
          )}
          {head.Savings && <SavingsPanels data={head.Savings} head={head} filters={filters} />}
          <div className={styles.tableHead}>
            <h2>{name === 'OrderDetail' ? '订单明细' : '明细表'}</h2>
            <ColumnChoice columns={columns} hidden={hidden} onChange={hide} />
          </div>
          {page?.Items.some(({ Amount }) => Number(Amount) < 0) && (
            <p className={styles.basis}>{NEGATIVE}</p>
          )}
          {page && <p className={styles.printed}>{describePage(page)}</p>}
          <ReportTable
            name={name}
            head={head}
            page={page}
            error={error}
            retry={retry}
            columns={columns.filter(({ key }) => !hidden.includes(key))}
            sort={filters.Sort}
            onChange={setFilters}
          />
        </div>
      )}
      <Suspense fallback={null}>
        {isSubscribing && (
          <Subscriptions name={name} filters={filters} onClose={() => setSubscribing(false)} />
        )}
      </Suspense>
    </Page>
  )
}
