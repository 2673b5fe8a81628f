import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { call, type Answer, type Query } from '@/api/call'

export type RolePage = Answer<'/api/Role'>
export type RoleRow = RolePage['Items'][number]
export type RoleQuery = Query<'/api/Role'>
export type MenuGroup = Answer<'/api/Role/MenuTree'>[number]
export type DataScope = RoleRow['DataScope']

/** From narrow to wide, with what it means. */
export const SCOPES: readonly { value: DataScope; label: string; meaning: string }[] = [
  { value: 'own', label: '仅本人', meaning: '只能看到自己的单据和数据' },
  { value: 'department', label: '本部门及下级', meaning: '能看到所在部门和所有下级部门的数据' },
  { value: 'enterprise', label: '本企业', meaning: '能看到所在企业所有部门的数据' },
  { value: 'group', label: '全集团', meaning: '能看到集团内所有企业的数据' },
]

export type PurchasingRight = RoleRow['Purchasing']

/** The purchasing rights from wide to narrow, each with its meaning. */
export const PURCHASING: readonly { value: PurchasingRight; label: string; meaning: string }[] = [
  { value: 'order', label: '下单', meaning: '可加入购物车、提交订单，也可处理同事的采购申请' },
  { value: 'request', label: '仅申请', meaning: '购物车只能提交为采购申请，由采购人员下单' },
  { value: 'browse', label: '仅浏览', meaning: '可查看商品和价格，不能加入购物车' },
  { value: 'unpriced', label: '仅浏览（不显示价格）', meaning: '可查看商品，看不到任何商品价格' },
]

export type PaymentKind = RoleRow['PaymentKinds'][number]

export const PAYMENT_KINDS: readonly { value: PaymentKind; label: string }[] = [
  { value: 'credit', label: '月结' },
  { value: 'cod', label: '货到付款' },
  { value: 'transfer', label: '公司转账' },
  { value: 'online', label: '在线支付' },
]

export const ADDRESS_SCOPES: readonly { value: RoleRow['AddressScope']; label: string }[] = [
  { value: 'all', label: '全部可用地址' },
  { value: 'department', label: '本人和所在部门的地址' },
  { value: 'own', label: '仅本人地址' },
]

export const addressScopeName = (value: RoleRow['AddressScope']): string =>
  ADDRESS_SCOPES.find((scope) => scope.value === value)?.label ?? value

/** The names of kinds of payment; 无 if none is left. */
export const paymentKindsName = (values: readonly PaymentKind[]): string =>
  PAYMENT_KINDS.filter(({ value }) => values.includes(value))
    .map(({ label }) => label)
    .join('、') || '无'

export type PurchaseLimit = RoleRow['Limits'][number]

export const LIMIT_PERIODS: readonly { value: PurchaseLimit['Period']; label: string }[] = [
  { value: 'order', label: '每单' },
  { value: 'day', label: '每日' },
  { value: 'month', label: '每月' },
]

export const LIMIT_ACTIONS: readonly { value: PurchaseLimit['Action']; label: string }[] = [
  { value: 'refuse', label: '超出不允许提交' },
  { value: 'approve', label: '超出需要审批' },
]

export const purchasingName = (value: string): string =>
  PURCHASING.find((right) => right.value === value)?.label ?? value

export const roles = (query: RoleQuery) =>
  queryOptions({
    queryKey: ['roles', query],
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => call('get', '/api/Role', { query, signal, quiet: true }),
  })

/** All of the group's roles, to choose from: there are at most 200. */
export const allRoles = roles({ PageIndex: 1, PageSize: 1000 })

export const menuTree = queryOptions({
  queryKey: ['menuTree'],
  staleTime: 30 * 60_000,
  queryFn: ({ signal }) => call('get', '/api/Role/MenuTree', { signal, quiet: true }),
})
