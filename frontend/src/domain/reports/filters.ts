import { asQuery } from '@/desk/filterSchema'
import { readPage } from '@/lib/useFilters'
import type { ReportName, ReportQuery } from './api'

/** The filters of all reports, as in the address. Missing values are defaults. */
export interface ReportFilters {
  Basis?: string
  Period?: string
  From?: string
  To?: string
  EnterpriseId?: string
  DepartmentId?: string
  OwnDepartmentId?: string
  CategoryId?: string
  BrandId?: string
  OffAgreement?: string
  ProductCode?: string
  RequesterId?: string
  Status?: string[]
  PaymentKind?: string[]
  BudgetId?: string
  PurchaseOrderNo?: string
  CostCenter?: string
  OrderNo?: string
  Weekday?: string
  /** 'true': only budgets that are expected to overrun, and their purchases. */
  Overrunning?: string
  Sort?: string
  /** Columns that are not shown. */
  Hide?: string[]
  PageIndex: number
  PageSize: number
}

export const BASES = [
  { value: 'ordered', label: '下单口径' },
  { value: 'received', label: '签收口径' },
  { value: 'invoiced', label: '开票口径' },
] as const
/** The explanation of each basis, shown above the figures. */
export const BASIS_TEXT: Readonly<Record<string, string>> = {
  ordered: '按下单日期统计已生效的订单，取消在取消日冲减；含运费，不含待审批、已驳回和已撤回的订单',
  received: '按签收日期统计，退货在退款日冲减；运费在订单完成日计入，与对账单一致',
  invoiced: '按开票日期统计，红字发票在开具日冲减',
}
export const PERIODS = [
  { value: 'month', label: '本月' },
  { value: 'last_month', label: '上月' },
  { value: 'quarter', label: '本季' },
  { value: 'year', label: '本年' },
  { value: 'twelve_months', label: '近12个月' },
  { value: 'custom', label: '自定义' },
] as const
export const STATES = [
  { value: 'pending_confirm', label: '待确认' },
  { value: 'pending_shipment', label: '待发货' },
  { value: 'partly_shipped', label: '部分发货' },
  { value: 'pending_receipt', label: '待收货' },
  { value: 'completed', label: '已完成' },
  { value: 'cancelled', label: '已取消' },
] as const
export const PAYMENTS = [
  { value: 'credit', label: '月结' },
  { value: 'cod', label: '货到付款' },
  { value: 'transfer', label: '公司转账' },
  { value: 'online', label: '在线支付' },
] as const
/** The choice of orders that use no budget. */
export const NO_BUDGET = { value: '0', label: '未使用预算' } as const
export const WEEKDAYS = ['周一', '周二', '周三', '周四', '周五', '周六', '周日'] as const

const ONE = [
  'Basis',
  'Period',
  'From',
  'To',
  'EnterpriseId',
  'DepartmentId',
  'OwnDepartmentId',
  'CategoryId',
  'BrandId',
  'OffAgreement',
  'ProductCode',
  'RequesterId',
  'BudgetId',
  'PurchaseOrderNo',
  'CostCenter',
  'OrderNo',
  'Weekday',
  'Overrunning',
  'Sort',
] as const
const MANY = ['Status', 'PaymentKind', 'Hide'] as const

export function readFilters(params: URLSearchParams): ReportFilters {
  const one = ONE.map((name) => [name, params.get(name) || undefined] as const)
  const many = MANY.map((name) => [name, params.getAll(name).filter(Boolean)] as const)
  return {
    ...Object.fromEntries([
      ...one,
      ...many.map(([name, all]) => [name, all.length ? all : undefined]),
    ]),
    ...readPage(params),
  } as ReportFilters
}

export const basisOf = ({ Basis }: ReportFilters): string => Basis ?? 'ordered'
export const getPeriod = ({ Period, From, To }: ReportFilters): string =>
  Period ?? (From || To ? 'custom' : 'twelve_months')

/**
 * Return the query of the rows. Charts have their own query, so that another page of rows does
 * not load them again.
 */
export function toQuery(
  { Hide: _hide, ...filters }: ReportFilters,
  withCharts: boolean,
): ReportQuery {
  return asQuery({ ...filters, Charts: withCharts })
}

/** Neither a page nor an order of rows: what makes the figures. */
export function getFigures({
  PageIndex: _index,
  PageSize: _size,
  Sort: _sort,
  Hide: _hide,
  ...filters
}: ReportFilters): Omit<ReportFilters, 'PageIndex' | 'PageSize'> {
  return filters
}

export const TITLES: Readonly<Record<ReportName, string>> = {
  Order: '订单报表',
  OrderDetail: '订单明细报表',
  Product: '商品报表',
  Department: '部门报表',
  Purchaser: '采购人报表',
  Brand: '品牌报表',
  Savings: '节约与合规报表',
  Budget: '预算执行报表',
}

/** Return the body of an export: the filters and the order of rows, without a page. */
export const buildExportBody = (filters: ReportFilters): object => ({
  ...getFigures(filters),
  ...(filters.Sort ? { Sort: filters.Sort } : {}),
  ...(filters.Weekday ? { Weekday: Number(filters.Weekday) } : {}),
  ...(filters.OffAgreement ? { OffAgreement: filters.OffAgreement === 'true' } : {}),
  ...(filters.Overrunning ? { Overrunning: filters.Overrunning === 'true' } : {}),
})
