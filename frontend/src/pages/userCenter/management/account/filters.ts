import type { AccountQuery } from '@/domain/org/accounts'
import { readPage } from '@/lib/useFilters'

export interface AccountFilters {
  Keyword?: string
  EnterpriseId?: string
  DepartmentId?: string
  RoleId?: string
  State?: string
  UserType?: string
  PageIndex: number
  PageSize: number
}

const text = (params: URLSearchParams, name: string): string | undefined => params.get(name) || undefined

export const readFilters = (params: URLSearchParams): AccountFilters => ({
  Keyword: text(params, 'Keyword'), EnterpriseId: text(params, 'EnterpriseId'), DepartmentId: text(params, 'DepartmentId'), RoleId: text(params, 'RoleId'),
  State: text(params, 'State'), UserType: text(params, 'UserType'), ...readPage(params),
})

export const toQuery = (filters: AccountFilters): AccountQuery => filters as unknown as AccountQuery

/** What the sheet is to hold: the filters without the page. */
export const toExport = ({ Keyword, EnterpriseId, DepartmentId, RoleId, State, UserType }: AccountFilters): object => ({ Keyword, EnterpriseId, DepartmentId, RoleId, State, UserType })

export const isNarrowed = (filters: AccountFilters): boolean => Boolean(filters.Keyword ?? filters.EnterpriseId ?? filters.DepartmentId ?? filters.RoleId ?? filters.State ?? filters.UserType)

export const STATES = [{ value: 'active', label: '启用' }, { value: 'pending', label: '待激活' }, { value: 'disabled', label: '已停用' }] as const
export const KINDS = [{ value: 'GA', label: '集团管理员' }, { value: 'NU', label: '普通账号' }] as const
