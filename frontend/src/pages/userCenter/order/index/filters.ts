import type { OrderQuery } from '@/domain/orders/orders'
import type { FilterField } from '@/desk/FilterBar'
import { asQuery, filterSchema } from '@/desk/filterSchema'

export const FILTERS = filterSchema(['Keyword', 'Status', 'From', 'To', 'PaymentKind', 'Requester'])
export type OrderFilters = ReturnType<typeof FILTERS.read>

export const toQuery = (filters: OrderFilters): OrderQuery => asQuery(filters)

/** `uid` is the option to list the own orders only, for a person who sees orders of others. */
export const getFields = (uid: string): readonly FilterField[] => [
  {
    kind: 'text',
    name: 'Keyword',
    label: '关键词',
    placeholder: '订单号、采购单号或商品',
    width: 160,
  },
  { kind: 'range', names: ['From', 'To'], label: '下单日期' },
  {
    kind: 'select',
    name: 'PaymentKind',
    label: '付款方式',
    width: 110,
    options: [
      { value: 'credit', label: '月结' },
      { value: 'transfer', label: '公司转账' },
      { value: 'cod', label: '货到付款' },
      { value: 'online', label: '在线支付' },
    ],
  },
  {
    kind: 'select',
    name: 'Requester',
    label: '下单人',
    width: 90,
    options: [{ value: uid, label: '仅本人' }],
  },
]

/** The tabs that are always shown. The others are shown when they are not empty. */
export const ALWAYS = new Set([
  '',
  'pending_approval',
  'pending_confirm',
  'pending_shipment',
  'pending_receipt',
  'completed',
])
