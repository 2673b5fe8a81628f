import type { FilterField } from '@/desk/FilterBar'
import type { InquiryQuery } from '@/domain/inquiries/inquiries'
import { readPage } from '@/lib/useFilters'

export interface InquiryFilters {
  Keyword?: string
  Status?: string
  From?: string
  To?: string
  Unread?: string
  PageIndex: number
  PageSize: number
}

const text = (params: URLSearchParams, name: string): string | undefined => params.get(name) || undefined

export const readFilters = (params: URLSearchParams): InquiryFilters => ({
  Keyword: text(params, 'Keyword'), Status: text(params, 'Status'), From: text(params, 'From'), To: text(params, 'To'), Unread: text(params, 'Unread'), ...readPage(params),
})

export const toQuery = ({ Unread, ...filters }: InquiryFilters): InquiryQuery => ({ ...filters, ...(Unread ? { Unread: true } : {}) }) as InquiryQuery

export const FIELDS: readonly FilterField[] = [
  { kind: 'text', name: 'Keyword', label: '关键词', placeholder: '询价单号或意向商品', width: 220 },
  { kind: 'range', names: ['From', 'To'], label: '询价日期' },
  { kind: 'select', name: 'Unread', label: '新消息', width: 130, options: [{ value: '1', label: '有未读' }] },
]
