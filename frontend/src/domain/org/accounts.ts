import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { call, type Answer, type Body, type Query } from '@/api/call'
import { useWrite } from '@/api/useWrite'

export type AccountPage = Answer<'/api/Account'>
export type AccountRow = AccountPage['Items'][number]
export type AccountQuery = Query<'/api/Account'>
export type Invitation = Answer<'/api/Account/{Id}/Invite', 'post'>
export type AccountAccess = Answer<'/api/Account/Sight'>
export type Channel = 'mail' | 'code'

export const accounts = (query: AccountQuery) =>
  queryOptions({
    queryKey: ['accounts', query],
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => call('get', '/api/Account', { query, signal, quiet: true }),
  })

export const leaving = (pk: string) =>
  queryOptions({
    queryKey: ['leaving', pk],
    gcTime: 0,
    queryFn: ({ signal }) =>
      call('get', '/api/Account/{Id}/Leaving', { path: { Id: pk }, signal, quiet: true }),
  })

export type PurchaseLimits = Answer<'/api/Account/{Id}/Limits'>

export const accountLimits = (pk: string) =>
  queryOptions({
    queryKey: ['accountLimits', pk],
    gcTime: 0,
    queryFn: ({ signal }) =>
      call('get', '/api/Account/{Id}/Limits', { path: { Id: pk }, signal, quiet: true }),
  })

export const useSetLimits = () =>
  useWrite(
    ['accountLimits', 'changes'],
    ({ pk, body }: { pk: string; body: Body<'/api/Account/{Id}/Limits', 'put'> }) =>
      call('put', '/api/Account/{Id}/Limits', { path: { Id: pk }, body, quiet: true }),
  )

export const accountAccess = (query: Query<'/api/Account/Sight'>) =>
  queryOptions({
    queryKey: ['sight', query],
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => call('get', '/api/Account/Sight', { query, signal, quiet: true }),
  })

/** Queries that a write on accounts changes. */
const CHANGED_QUERIES = ['accounts', 'people', 'roles', 'sight', 'changes', 'holders']

export const useOpenAccount = () =>
  useWrite(CHANGED_QUERIES, (body: Body<'/api/Account'>) =>
    call('post', '/api/Account', { body, quiet: true }),
  )
export const useChangeAccount = () =>
  useWrite(
    CHANGED_QUERIES,
    ({ pk, body }: { pk: string; body: Body<'/api/Account/{Id}', 'patch'> }) =>
      call('patch', '/api/Account/{Id}', { path: { Id: pk }, body, quiet: true }),
  )
export const useEnable = () =>
  useWrite(CHANGED_QUERIES, (pk: string) =>
    call('post', '/api/Account/{Id}/Enable', { path: { Id: pk } }),
  )
export const useDisable = () =>
  useWrite(
    CHANGED_QUERIES,
    ({ pk, SuccessorId }: { pk: string; SuccessorId?: string | undefined }) =>
      call('post', '/api/Account/{Id}/Disable', {
        path: { Id: pk },
        body: SuccessorId ? { SuccessorId } : {},
        quiet: true,
      }),
  )
export const useInvite = () =>
  useWrite(
    CHANGED_QUERIES,
    ({ pk, body }: { pk: string; body: Body<'/api/Account/{Id}/Invite'> }) =>
      call('post', '/api/Account/{Id}/Invite', { path: { Id: pk }, body, quiet: true }),
  )
export const useResetPassword = () =>
  useWrite(
    CHANGED_QUERIES,
    ({ pk, body }: { pk: string; body: Body<'/api/Account/{Id}/ResetPassword'> }) =>
      call('post', '/api/Account/{Id}/ResetPassword', { path: { Id: pk }, body, quiet: true }),
  )
