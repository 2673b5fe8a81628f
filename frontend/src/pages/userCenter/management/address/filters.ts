import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { call } from '@/api/call'
import type { FilterField } from '@/desk/FilterBar'
import { readPage } from '@/lib/useFilters'
import type { AddressQuery } from '@/domain/account/addresses'

export const SCOPES = [
  { value: 'account', label: '本人' },
  { value: 'department', label: '部门' },
  { value: 'enterprise', label: '企业' },
  { value: 'group', label: '集团' },
] as const
export type Scope = (typeof SCOPES)[number]['value']
export const scopeName = (code: string): string =>
  SCOPES.find(({ value }) => value === code)?.label ?? code

export interface Filters {
  PageIndex: number
  PageSize: number
  Keyword?: string
  OwnerType?: Scope
  EnterpriseId?: string
  DepartmentId?: string
  Managed?: string
}

export function readFilters(params: URLSearchParams): Filters {
  const text = (name: string) => params.get(name) ?? undefined
  const filters: Filters = { ...readPage(params) }
  const scope = SCOPES.find(({ value }) => value === params.get('OwnerType'))
  if (scope) filters.OwnerType = scope.value
  for (const name of ['Keyword', 'EnterpriseId', 'DepartmentId', 'Managed'] as const) {
    const value = text(name)
    if (value) filters[name] = value
  }
  return filters
}

const number = (text: string | undefined): number | undefined =>
  text && /^\d{1,18}$/.test(text) ? Number(text) : undefined

export function toQuery({ EnterpriseId, DepartmentId, Managed, ...rest }: Filters): AddressQuery {
  const query = { ...rest, Managed: Managed === 'true' } as AddressQuery
  const [enterprise, department] = [number(EnterpriseId), number(DepartmentId)]
  if (enterprise !== undefined) query.EnterpriseId = enterprise
  if (department !== undefined) query.DepartmentId = department
  return query
}

export const addressList = (query: AddressQuery) =>
  queryOptions({
    queryKey: ['addressList', query],
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => call('get', '/api/Address', { query, signal, quiet: true }),
  })

export const enterprises = queryOptions({
  queryKey: ['addressEnterprises'],
  staleTime: 60_000,
  queryFn: ({ signal }) =>
    call('get', '/api/Enterprise', { query: { PageSize: 1000 }, signal, quiet: true }),
})
export const departments = queryOptions({
  queryKey: ['addressDepartments'],
  staleTime: 60_000,
  queryFn: ({ signal }) =>
    call('get', '/api/Department', { query: { PageSize: 1000 }, signal, quiet: true }),
})

type Named = readonly { Id: string; Name: string }[]
const options = (rows: Named) => rows.map(({ Id, Name }) => ({ value: Id, label: Name }))

export const fieldsOf = (companies: Named, units: Named): FilterField[] => [
  {
    kind: 'text',
    name: 'Keyword',
    label: '关键词',
    placeholder: '收货人、电话、地址、标签',
    width: 220,
  },
  { kind: 'select', name: 'OwnerType', label: '使用范围', options: SCOPES, width: 110 },
  { kind: 'select', name: 'EnterpriseId', label: '企业', options: options(companies), width: 190 },
  { kind: 'select', name: 'DepartmentId', label: '部门', options: options(units), width: 160 },
]

/** The filters of the list, without the page. */
export function toExport(filters: Filters): Omit<AddressQuery, 'PageIndex' | 'PageSize'> {
  const { PageIndex: _index, PageSize: _size, ...asked } = toQuery(filters)
  return asked
}
