import type { FilterField } from '@/desk/FilterBar'
import type { ApplicationQuery, InvoiceQuery } from '@/domain/invoices/invoices'
import { KINDS, MARK_KINDS } from '@/domain/invoices/status'
import { asQuery, filterSchema } from '@/desk/filterSchema'

export const FILTERS = filterSchema([
  'View',
  'Keyword',
  'Status',
  'Kind',
  'OrderNo',
  'IsRed',
  'Mark',
  'From',
  'To',
  'ApplicationNo',
])
export type RecordFilters = ReturnType<typeof FILTERS.read>

export const showsApplications = ({ View }: RecordFilters): boolean => View === 'applications'

export const toInvoices = ({
  View: _view,
  ApplicationNo: _application,
  ...filters
}: RecordFilters): InvoiceQuery => asQuery(filters)
export const toApplications = ({
  View: _view,
  ApplicationNo: _application,
  OrderNo: _order,
  IsRed: _red,
  Mark: _mark,
  ...filters
}: RecordFilters): ApplicationQuery => asQuery(filters)

/** The view and the open application are in the address too, but narrow nothing. */
export const isNarrowed = (filters: RecordFilters): boolean =>
  FILTERS.isNarrowed({ ...filters, View: undefined, ApplicationNo: undefined })

const KIND: FilterField = {
  kind: 'select',
  name: 'Kind',
  label: '发票种类',
  width: 120,
  options: KINDS,
}

const MARK_FIELD: FilterField = {
  kind: 'select',
  name: 'Mark',
  label: '处理状态',
  width: 130,
  options: [
    ...MARK_KINDS,
    ...MARK_KINDS.map(({ value, label }) => ({
      value: `-${value}`,
      label: label.replace(/^[已有]/, '未').replace('未问题', '无问题'),
    })),
  ],
}

export const INVOICE_FIELDS: readonly FilterField[] = [
  { kind: 'text', name: 'Keyword', label: '关键词', placeholder: '发票号码或申请单号', width: 180 },
  { kind: 'text', name: 'OrderNo', label: '订单号', placeholder: '完整订单号', width: 170 },
  { kind: 'range', names: ['From', 'To'], label: '开票日期' },
  KIND,
  {
    kind: 'select',
    name: 'IsRed',
    label: '蓝字/红字',
    width: 110,
    options: [
      { value: 'false', label: '蓝字发票' },
      { value: 'true', label: '红字发票' },
    ],
  },
  MARK_FIELD,
]

export const APPLICATION_FIELDS: readonly FilterField[] = [
  {
    kind: 'text',
    name: 'Keyword',
    label: '关键词',
    placeholder: '申请单号、发票号码或订单号',
    width: 220,
  },
  { kind: 'range', names: ['From', 'To'], label: '申请日期' },
  KIND,
]
