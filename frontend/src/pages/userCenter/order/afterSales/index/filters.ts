import type { FilterField } from '@/desk/FilterBar'
import type { ReturnQuery } from '@/domain/returns/returns'
import { readPage } from '@/lib/useFilters'

export interface ReturnFilters {
  Keyword?: string
  Status?: string
  Kind?: string
  From?: string
  To?: string
  Unread?: string
  PageIndex: number
  PageSize: number
}

const text = (params: URLSearchParams, name: string): string | undefined => params.get(name) || undefined

export const readFilters = (params: URLSearchParams): ReturnFilters => ({
  Keyword: text(params, 'Keyword'), Status: text(params, 'Status'), Kind: text(params, 'Kind'), From: text(params, 'From'), To: text(params, 'To'), Unread: text(params, 'Unread'), ...readPage(params),
})

export const toQuery = ({ Unread, ...filters }: ReturnFilters): ReturnQuery => ({ ...filters, ...(Unread ? { Unread: true } : {}) }) as ReturnQuery

export const FIELDS: readonly FilterField[] = [
  { kind: 'text', name: 'Keyword', label: '关键词', placeholder: '售后单号、订单号或商品', width: 220 },
  { kind: 'select', name: 'Kind', label: '方式', width: 110, options: [{ value: 'return', label: '退货' }, { value: 'exchange', label: '换货' }, { value: 'repair', label: '维修' }] },
  { kind: 'range', names: ['From', 'To'], label: '申请日期' },
  { kind: 'select', name: 'Unread', label: '新进展', width: 120, options: [{ value: '1', label: '有未读' }] },
]

/** The tabs that are always there; the others show when something is in them. */
export const ALWAYS = new Set(['', 'pending_review', 'pending_send', 'processing', 'pending_confirm', 'completed'])
