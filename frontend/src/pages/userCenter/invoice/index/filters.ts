import type { FilterField } from '@/desk/FilterBar'
import type { AvailableQuery, InvoiceOptions } from '@/domain/invoices/invoices'
import { monthsUpTo } from '@/lib/months'
import { asQuery, filterSchema } from '@/desk/filterSchema'

export const FILTERS = filterSchema([
  'Keyword',
  'OrderNo',
  'Month',
  'DepartmentId',
  'EnterpriseId',
  'Step',
  'Dialog',
])
export type ApplyFilters = ReturnType<typeof FILTERS.read>

export const toQuery = ({
  Step: _step,
  Dialog: _dialog,
  ...filters
}: ApplyFilters): AvailableQuery => asQuery(filters)

export const isNarrowed = ({ Keyword, OrderNo, Month, DepartmentId }: ApplyFilters): boolean =>
  Boolean(Keyword ?? OrderNo ?? Month ?? DepartmentId)

export const fieldsOf = (options: InvoiceOptions | undefined): readonly FilterField[] => [
  {
    kind: 'text',
    name: 'Keyword',
    label: '关键词',
    placeholder: '商品、编码或采购单号',
    width: 190,
  },
  { kind: 'text', name: 'OrderNo', label: '订单号', placeholder: '完整订单号', width: 180 },
  { kind: 'select', name: 'Month', label: '收货月份', width: 130, options: monthsUpTo(new Date()) },
  {
    kind: 'select',
    name: 'DepartmentId',
    label: '部门',
    width: 150,
    options: (options?.Departments ?? []).map(({ Id, Name }) => ({ value: Id, label: Name })),
  },
  ...((options?.Enterprises.length ?? 0) > 1
    ? [
        {
          kind: 'select',
          name: 'EnterpriseId',
          label: '企业',
          width: 170,
          options: (options?.Enterprises ?? []).map(({ Id, Name }) => ({ value: Id, label: Name })),
        } as const,
      ]
    : []),
]
