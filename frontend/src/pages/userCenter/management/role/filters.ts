import type { FilterField } from '@/desk/FilterBar'
import { SCOPES, type RoleQuery } from '@/domain/org/roles'
import { readPage } from '@/lib/useFilters'

export interface RoleFilters {
  Keyword?: string
  DataScope?: string
  PageIndex: number
  PageSize: number
}

export const readFilters = (params: URLSearchParams): RoleFilters => ({ Keyword: params.get('Keyword') || undefined, DataScope: params.get('DataScope') || undefined, ...readPage(params) })

export const toQuery = (filters: RoleFilters): RoleQuery => filters as RoleQuery

export const FIELDS: readonly FilterField[] = [
  { kind: 'text', name: 'Keyword', label: '关键词', placeholder: '角色名称或编码', width: 220 },
  { kind: 'select', name: 'DataScope', label: '数据范围', width: 150, options: SCOPES },
]
