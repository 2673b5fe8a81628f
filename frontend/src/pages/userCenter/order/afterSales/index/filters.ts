import type { FilterField } from '@/desk/FilterBar'
import type { ReturnQuery } from '@/domain/returns/returns'
import { asQuery, filterSchema } from '@/desk/filterSchema'

export const FILTERS = filterSchema(['Keyword', 'Status', 'Kind', 'From', 'To', 'Unread'])
type Filters = ReturnType<typeof FILTERS.read>

export const toQuery = ({ Unread, ...filters }: Filters): ReturnQuery =>
  asQuery({ ...filters, ...(Unread ? { Unread: true } : {}) })

export const FIELDS: readonly FilterField[] = [
  {
    kind: 'text',
    name: 'Keyword',
    label: '关键词',
    placeholder: '售后单号、订单号或商品',
    width: 220,
  },
  {
    kind: 'select',
    name: 'Kind',
    label: '方式',
    width: 110,
    options: [
      { value: 'return', label: '退货' },
      { value: 'exchange', label: '换货' },
      { value: 'repair', label: '维修' },
    ],
  },
  { kind: 'range', names: ['From', 'To'], label: '申请日期' },
  {
    kind: 'select',
    name: 'Unread',
    label: '新进展',
    width: 120,
    options: [{ value: '1', label: '有未读' }],
  },
]

/** The tabs that are always shown. The others are shown when they are not empty. */
export const ALWAYS = new Set([
  '',
  'pending_review',
  'pending_send',
  'processing',
  'pending_confirm',
  'completed',
])
