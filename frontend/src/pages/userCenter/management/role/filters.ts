import type { FilterField } from '@/desk/FilterBar'
import { SCOPES, type RoleQuery } from '@/domain/org/roles'
import { asQuery, filterSchema } from '@/desk/filterSchema'

export const FILTERS = filterSchema(['Keyword', 'DataScope'])
type RoleFilters = ReturnType<typeof FILTERS.read>

export const toQuery = (filters: RoleFilters): RoleQuery => asQuery(filters)

export const FIELDS: readonly FilterField[] = [
  { kind: 'text', name: 'Keyword', label: '关键词', placeholder: '角色名称或编码', width: 220 },
  { kind: 'select', name: 'DataScope', label: '数据范围', width: 150, options: SCOPES },
]
