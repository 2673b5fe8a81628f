import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { call, type Body } from '@/api/call'
import { useWrite } from '@/api/useWrite'

export type RoleBody = Body<'/api/Role'>

export const holders = (pk: string, PageIndex: number) =>
  queryOptions({
    queryKey: ['holders', pk, PageIndex],
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) =>
      call('get', '/api/Role/{Id}/Accounts', {
        path: { Id: pk },
        query: { PageIndex, PageSize: 20 },
        signal,
        quiet: true,
      }),
  })

/**
 * A role change affects the visible data and rights of people: invalidates their lists, the user's
 * own menu, and the permission previews.
 */
const TOUCHED = ['roles', 'accounts', 'sight', 'menuCodes', 'changes', 'holders']

export const useSaveRole = () =>
  useWrite(TOUCHED, ({ pk, body }: { pk: string | null; body: RoleBody }) =>
    pk
      ? call('patch', '/api/Role/{Id}', { path: { Id: pk }, body, quiet: true })
      : call('post', '/api/Role', { body, quiet: true }),
  )
export const useCopyRole = () =>
  useWrite(TOUCHED, ({ pk, Name }: { pk: string; Name: string }) =>
    call('post', '/api/Role/{Id}/Copy', { path: { Id: pk }, body: { Name }, quiet: true }),
  )
export const useDeleteRole = () =>
  useWrite(TOUCHED, (pk: string) => call('delete', '/api/Role/{Id}', { path: { Id: pk } }))
