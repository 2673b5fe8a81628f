import type { FilterField } from '@/desk/FilterBar'
import type { InquiryQuery } from '@/domain/inquiries/inquiries'
import { asQuery, filterSchema } from '@/desk/filterSchema'

export const FILTERS = filterSchema(['Keyword', 'Status', 'From', 'To', 'Unread'])
type Filters = ReturnType<typeof FILTERS.read>

export const toQuery = ({ Unread, ...filters }: Filters): InquiryQuery =>
  asQuery({ ...filters, ...(Unread ? { Unread: true } : {}) })

export const FIELDS: readonly FilterField[] = [
  { kind: 'text', name: 'Keyword', label: '关键词', placeholder: '询价单号或意向商品', width: 220 },
  { kind: 'range', names: ['From', 'To'], label: '询价日期' },
  {
    kind: 'select',
    name: 'Unread',
    label: '新消息',
    width: 130,
    options: [{ value: '1', label: '有未读' }],
  },
]
