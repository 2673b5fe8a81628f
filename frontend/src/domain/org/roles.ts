import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { call, type Answer, type Query } from '@/api/call'

export type RolePage = Answer<'/api/Role'>
export type RoleRow = RolePage['Items'][number]
export type RoleQuery = Query<'/api/Role'>
export type MenuGroup = Answer<'/api/Role/MenuTree'>[number]
export type DataScope = RoleRow['DataScope']

/** From narrow to wide, with what it means. */
export const SCOPES: readonly { value: DataScope; label: string; meaning: string }[] = [
  { value: 'own', label: '仅本人', meaning: '只能看到自己的单据和数据' },
  { value: 'department', label: '本部门及下级', meaning: '能看到所在部门和所有下级部门的数据' },
  { value: 'enterprise', label: '本企业', meaning: '能看到所在企业所有部门的数据' },
  { value: 'group', label: '全集团', meaning: '能看到集团内所有企业的数据' },
]

export const roles = (query: RoleQuery) =>
  queryOptions({
    queryKey: ['roles', query],
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => call('get', '/api/Role', { query, signal, quiet: true }),
  })

/** All of the group's roles, to choose from: there are at most 200. */
export const allRoles = roles({ PageIndex: 1, PageSize: 1000 })

export const menuTree = queryOptions({
  queryKey: ['menuTree'],
  staleTime: 30 * 60_000,
  queryFn: ({ signal }) => call('get', '/api/Role/MenuTree', { signal, quiet: true }),
})
