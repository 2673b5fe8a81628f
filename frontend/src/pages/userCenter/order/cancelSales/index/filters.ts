import type { FilterField } from '@/desk/FilterBar'
import type { CancelQuery } from '@/domain/cancels/cancels'
import { asQuery, filterSchema } from '@/desk/filterSchema'

export const FILTERS = filterSchema(['Keyword', 'Status', 'From', 'To', 'OrderNo'])
type Filters = ReturnType<typeof FILTERS.read>

export const toQuery = (filters: Filters): CancelQuery => asQuery(filters)

export const FIELDS: readonly FilterField[] = [
  {
    kind: 'text',
    name: 'Keyword',
    label: '关键词',
    placeholder: '取消单号、订单号或商品',
    width: 240,
  },
  { kind: 'range', names: ['From', 'To'], label: '申请日期' },
]
