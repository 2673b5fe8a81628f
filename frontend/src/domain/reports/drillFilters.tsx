import { useQuery } from '@tanstack/react-query'
import { Tag } from '@/ui/Small'
import { choices, type Choices, type ReportName } from './api'
import { NO_BUDGET, PAYMENTS, STATES, WEEKDAYS, type ReportFilters } from './filters'
import styles from './reports.module.css'

type DrillFilter = 'OwnDepartmentId' | 'Weekday' | 'BrandId' | 'OffAgreement' | 'Overrunning'

function describeFilter(key: DrillFilter, value: string, data: Choices | undefined): string {
  if (key === 'Weekday') return `仅${WEEKDAYS[Number(value) - 1] ?? value}`
  if (key === 'BrandId')
    return `仅品牌 ${data?.Brands.find(({ Id }) => Id === value)?.Name ?? value}`
  if (key === 'OffAgreement') return value === 'true' ? '仅协议外商品' : '仅协议内商品'
  if (key === 'Overrunning') return '仅预计超出的预算'
  return `仅${value === '0' ? '未归属部门' : (data?.Departments.find(({ Id }) => Id === value)?.Name ?? '该部门')}（不含下级）`
}

/**
 * Tags for restrictions from clicks on a chart or a cell that no filter field shows. Each tag can
 * be removed.
 */
export function DrillFilterTags({
  name,
  filters,
  onChange,
}: {
  name: ReportName
  filters: ReportFilters
  onChange: (change: Partial<ReportFilters>) => void
}) {
  const { data } = useQuery(choices(name))
  const keys = ['OwnDepartmentId', 'Weekday', 'BrandId', 'OffAgreement', 'Overrunning'] as const
  // The budget report has a field for this filter.
  const shown = keys.filter(
    (key) => filters[key] !== undefined && !(key === 'Overrunning' && name === 'Budget'),
  )
  if (!shown.length) return null
  return (
    <p className={styles.chosen}>
      {shown.map((key) => (
        <Tag key={key} tone="brand" onRemove={() => onChange({ [key]: undefined })}>
          {describeFilter(key, filters[key] ?? '', data)}
        </Tag>
      ))}
    </p>
  )
}

type Named = readonly { Id: string; Name: string }[]
const nameIn = (rows: Named | undefined, id: string): string =>
  rows?.find(({ Id }) => Id === id)?.Name ?? id
const getLabels = (
  rows: readonly { value: string; label: string }[],
  values: readonly string[],
): string =>
  values.map((value) => rows.find((row) => row.value === value)?.label ?? value).join('、')

/** Return all active filters as text for the printed page. */
export function describeFilters(filters: ReportFilters, data: Choices | undefined): string[] {
  const described: readonly (readonly [string, string | undefined])[] = [
    ['企业', filters.EnterpriseId && nameIn(data?.Enterprises, filters.EnterpriseId)],
    ['部门（含下级）', filters.DepartmentId && nameIn(data?.Departments, filters.DepartmentId)],
    [
      '部门',
      filters.OwnDepartmentId && describeFilter('OwnDepartmentId', filters.OwnDepartmentId, data),
    ],
    ['星期', filters.Weekday && describeFilter('Weekday', filters.Weekday, data)],
    ['品牌', filters.BrandId && describeFilter('BrandId', filters.BrandId, data)],
    ['协议', filters.OffAgreement && describeFilter('OffAgreement', filters.OffAgreement, data)],
    ['预算范围', filters.Overrunning && describeFilter('Overrunning', filters.Overrunning, data)],
    ['商品类目', filters.CategoryId && nameIn(data?.Categories, filters.CategoryId)],
    ['采购人', filters.RequesterId && nameIn(data?.Requesters, filters.RequesterId)],
    ['订单状态', filters.Status && getLabels(STATES, filters.Status)],
    ['付款方式', filters.PaymentKind && getLabels(PAYMENTS, filters.PaymentKind)],
    [
      '预算',
      filters.BudgetId === NO_BUDGET.value
        ? NO_BUDGET.label
        : filters.BudgetId && nameIn(data?.Budgets, filters.BudgetId),
    ],
    ['商品编码', filters.ProductCode],
    ['采购单号', filters.PurchaseOrderNo],
    ['成本中心', filters.CostCenter],
    ['订单号', filters.OrderNo],
  ]
  return described.flatMap(([name, value]) => (value ? [`${name}：${value}`] : []))
}

/** The active filters as text. The filter fields are not printed. */
export function Printed({ name, filters }: { name: ReportName; filters: ReportFilters }) {
  const { data } = useQuery(choices(name))
  const described = describeFilters(filters, data)
  return described.length > 0 && <p className={styles.printed}>筛选条件：{described.join('；')}</p>
}
