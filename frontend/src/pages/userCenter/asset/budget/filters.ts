import { asQuery, filterSchema } from '@/desk/filterSchema'
import type { BudgetQuery } from './api'

export const FILTERS = filterSchema([
  'Keyword',
  'OwnerType',
  'DepartmentId',
  'Period',
  'Policy',
  'Earmark',
  'State',
  'When',
  'View',
])
export type BudgetFilters = ReturnType<typeof FILTERS.read>

/** `View` is the way the page shows the budgets: "tree", or a list. */
export const toQuery = ({ When, View: _view, ...filters }: BudgetFilters): BudgetQuery =>
  asQuery({ ...filters, When: When === 'all' ? undefined : (When ?? 'current') })

export const OWNERS = [
  { value: 'enterprise', label: '企业' },
  { value: 'department', label: '部门' },
  { value: 'account', label: '个人' },
] as const
export const PERIODS = [
  { value: 'month', label: '月度' },
  { value: 'quarter', label: '季度' },
  { value: 'year', label: '年度' },
] as const
export const POLICIES = [
  { value: 'block', label: '超出禁止下单' },
  { value: 'warn', label: '超出提醒' },
  { value: 'approve', label: '超出需审批' },
] as const
export const EARMARKS = [
  { value: 'none', label: '普通' },
  { value: 'category', label: '类目专项' },
  { value: 'dimension', label: '核算项专项' },
] as const
export const ROLLOVERS = [
  { value: 'none', label: '不结转' },
  { value: 'all', label: '全部结转到下一期' },
  { value: 'cap', label: '限额结转到下一期' },
] as const
export const STATES = [
  { value: 'normal', label: '正常' },
  { value: 'near', label: '已用 80% 以上' },
  { value: 'full', label: '已用完' },
] as const
export const WHENS = [
  { value: 'current', label: '进行中' },
  { value: 'upcoming', label: '未开始' },
  { value: 'ended', label: '已结束' },
  { value: 'all', label: '全部' },
] as const
