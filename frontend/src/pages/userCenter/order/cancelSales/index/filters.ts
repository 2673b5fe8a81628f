import type { FilterField } from '@/desk/FilterBar'
import type { CancelQuery } from '@/domain/cancels/cancels'
import { readPage } from '@/lib/useFilters'

export interface CancelFilters {
  Keyword?: string
  Status?: string
  From?: string
  To?: string
  OrderNo?: string
  PageIndex: number
  PageSize: number
}

const text = (params: URLSearchParams, name: string): string | undefined => params.get(name) || undefined

export const readFilters = (params: URLSearchParams): CancelFilters => ({
  Keyword: text(params, 'Keyword'), Status: text(params, 'Status'), From: text(params, 'From'), To: text(params, 'To'), OrderNo: text(params, 'OrderNo'), ...readPage(params),
})

export const toQuery = (filters: CancelFilters): CancelQuery => filters as CancelQuery

export const FIELDS: readonly FilterField[] = [
  { kind: 'text', name: 'Keyword', label: '关键词', placeholder: '取消单号、订单号或商品', width: 240 },
  { kind: 'range', names: ['From', 'To'], label: '申请日期' },
]
