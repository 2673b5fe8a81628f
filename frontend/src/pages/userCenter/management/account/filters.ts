import type { AccountQuery } from '@/domain/org/accounts'
import { asQuery, filterSchema } from '@/desk/filterSchema'

export const FILTERS = filterSchema([
  'Keyword',
  'EnterpriseId',
  'DepartmentId',
  'RoleId',
  'State',
  'UserType',
])
export type AccountFilters = ReturnType<typeof FILTERS.read>

export const toQuery = (filters: AccountFilters): AccountQuery => asQuery(filters)

export const STATES = [
  { value: 'active', label: '启用' },
  { value: 'pending', label: '待激活' },
  { value: 'disabled', label: '已停用' },
] as const
export const KINDS = [
  { value: 'GA', label: '集团管理员' },
  { value: 'NU', label: '普通账号' },
] as const
