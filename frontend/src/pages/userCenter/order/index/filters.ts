import type { OrderQuery } from '@/domain/orders/orders'
import type { FilterField } from '@/desk/FilterBar'
import { readPage } from '@/lib/useFilters'

export interface OrderFilters {
  Keyword?: string
  Status?: string
  From?: string
  To?: string
  PaymentKind?: string
  Requester?: string
  PageIndex: number
  PageSize: number
}

const text = (params: URLSearchParams, name: string): string | undefined => params.get(name) || undefined

export const readFilters = (params: URLSearchParams): OrderFilters => ({
  Keyword: text(params, 'Keyword'),
  Status: text(params, 'Status'),
  From: text(params, 'From'),
  To: text(params, 'To'),
  PaymentKind: text(params, 'PaymentKind'),
  Requester: text(params, 'Requester'),
  ...readPage(params),
})

export const toQuery = (filters: OrderFilters): OrderQuery => filters as OrderQuery

/** `uid`: whoever sees others' orders too may see only his own. */
export const fieldsOf = (uid: string): readonly FilterField[] => [
  { kind: 'text', name: 'Keyword', label: '关键词', placeholder: '订单号、采购单号或商品', width: 160 },
  { kind: 'range', names: ['From', 'To'], label: '下单日期' },
  {
    kind: 'select', name: 'PaymentKind', label: '付款方式', width: 110,
    options: [{ value: 'credit', label: '月结' }, { value: 'transfer', label: '公司转账' }, { value: 'cod', label: '货到付款' }, { value: 'online', label: '在线支付' }],
  },
  { kind: 'select', name: 'Requester', label: '下单人', width: 90, options: [{ value: uid, label: '仅本人' }] },
]

/** The tabs that are always there; the others show when something is in them. */
export const ALWAYS = new Set(['', 'pending_approval', 'pending_confirm', 'pending_shipment', 'pending_receipt', 'completed'])
