import type { FilterField } from '@/desk/FilterBar'
import type { RequisitionQuery } from '@/domain/requisitions/requisitions'
import { readPage } from '@/lib/useFilters'

export interface Filters {
  Box?: string
  Keyword?: string
  Status?: string
  CostCenter?: string
  Requester?: string
  Department?: string
  PageIndex: number
  PageSize: number
}

const text = (params: URLSearchParams, name: string): string | undefined =>
  params.get(name) || undefined

/** A notice links to its requisition (`?No=`), which is searched among all. */
export const readFilters = (params: URLSearchParams): Filters => ({
  Box: text(params, 'Box') ?? (params.get('No') ? 'all' : 'mine'),
  Keyword: text(params, 'Keyword') ?? text(params, 'No'),
  Status: text(params, 'Status'),
  CostCenter: text(params, 'CostCenter'),
  Requester: text(params, 'Requester'),
  Department: text(params, 'Department'),
  ...readPage(params),
})

export const toQuery = (filters: Filters): RequisitionQuery => ({ ...filters }) as RequisitionQuery

const STATES = [
  ['open', '待采购'],
  ['partly', '部分采购'],
  ['ordered', '已采购'],
  ['returned', '已退回'],
  ['withdrawn', '已撤回'],
] as const

export const FIELDS: readonly FilterField[] = [
  { kind: 'text', name: 'Keyword', label: '关键词', placeholder: '申请单号或商品', width: 200 },
  { kind: 'text', name: 'CostCenter', label: '成本中心', placeholder: '成本中心', width: 140 },
  {
    kind: 'select',
    name: 'Status',
    label: '状态',
    width: 120,
    options: STATES.map(([value, label]) => ({ value, label })),
  },
]
