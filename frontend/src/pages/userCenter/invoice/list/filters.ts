import type { FilterField } from '@/desk/FilterBar'
import type { ApplicationQuery, InvoiceQuery } from '@/domain/invoices/invoices'
import { KINDS } from '@/domain/invoices/status'
import { readPage } from '@/lib/useFilters'

export interface RecordFilters {
  /** applications; the invoices themselves where nothing is said. */
  View?: string
  Keyword?: string
  Status?: string
  Kind?: string
  OrderNo?: string
  IsRed?: string
  From?: string
  To?: string
  /** The application that is open beside the list. */
  ApplicationNo?: string
  PageIndex: number
  PageSize: number
}

const text = (params: URLSearchParams, name: string): string | undefined => params.get(name) || undefined

export const readFilters = (params: URLSearchParams): RecordFilters => ({
  View: text(params, 'View'), Keyword: text(params, 'Keyword'), Status: text(params, 'Status'), Kind: text(params, 'Kind'), OrderNo: text(params, 'OrderNo'),
  IsRed: text(params, 'IsRed'), From: text(params, 'From'), To: text(params, 'To'), ApplicationNo: text(params, 'ApplicationNo'), ...readPage(params),
})

export const showsApplications = ({ View }: RecordFilters): boolean => View === 'applications'

export const toInvoices = ({ View: _view, ApplicationNo: _application, ...filters }: RecordFilters): InvoiceQuery => filters as unknown as InvoiceQuery
export const toApplications = ({ View: _view, ApplicationNo: _application, OrderNo: _order, IsRed: _red, ...filters }: RecordFilters): ApplicationQuery => filters as ApplicationQuery

export const isNarrowed = ({ Keyword, Status, Kind, OrderNo, IsRed, From, To }: RecordFilters): boolean => Boolean(Keyword ?? Status ?? Kind ?? OrderNo ?? IsRed ?? From ?? To)

const KIND: FilterField = { kind: 'select', name: 'Kind', label: '发票种类', width: 120, options: KINDS }

export const INVOICE_FIELDS: readonly FilterField[] = [
  { kind: 'text', name: 'Keyword', label: '关键词', placeholder: '发票号码或申请单号', width: 180 },
  { kind: 'text', name: 'OrderNo', label: '订单号', placeholder: '完整订单号', width: 170 },
  { kind: 'range', names: ['From', 'To'], label: '开票日期' },
  KIND,
  { kind: 'select', name: 'IsRed', label: '蓝字/红字', width: 110, options: [{ value: 'false', label: '蓝字发票' }, { value: 'true', label: '红字发票' }] },
]

export const APPLICATION_FIELDS: readonly FilterField[] = [
  { kind: 'text', name: 'Keyword', label: '关键词', placeholder: '申请单号、发票号码或订单号', width: 220 },
  { kind: 'range', names: ['From', 'To'], label: '申请日期' },
  KIND,
]
