import { queryOptions } from '@tanstack/react-query'
import { call, type Answer, type Body, type Query } from '@/api/call'
import { useWrite } from '@/api/useWrite'

export type QuickListPage = Answer<'/api/QuickList'>
export type QuickListRow = QuickListPage['Items'][number]
export type QuickList = Answer<'/api/QuickList/{Id}'>
export type QuickListLine = QuickList['Items'][number]
export type ListMember = QuickList['Members'][number]
export type ListRight = ListMember['Right']
export type ListFilled = Answer<'/api/QuickList/{Id}/AddToCart', 'post'>

const KEYS = ['quickLists', 'quickList']
const ROLES: Readonly<Record<QuickListRow['Role'], string>> = {
  owner: '所有人',
  edit: '可编辑',
  view: '可查看',
}
export const roleText = (role: QuickListRow['Role']): string => ROLES[role]

/** A page of the person's own lists and of those that colleagues share, the last changed first. */
export const quickListPage = (uid: string, query: Query<'/api/QuickList'>) =>
  queryOptions({
    queryKey: ['quickLists', uid, query],
    queryFn: ({ signal }) => call('get', '/api/QuickList', { query, signal, quiet: true }),
  })

/** A list with its lines at the person's prices. */
export const quickList = (uid: string, Id: string) =>
  queryOptions({
    queryKey: ['quickList', uid, Id],
    queryFn: ({ signal }) =>
      call('get', '/api/QuickList/{Id}', { path: { Id }, signal, quiet: true }),
    // A list that was deleted or left must not be shown from the cache.
    gcTime: 0,
  })

/** Up to 20 colleagues whose name contains the keyword. */
export const colleagues = (Keyword: string) =>
  queryOptions({
    queryKey: ['listColleagues', Keyword],
    queryFn: ({ signal }) =>
      call('get', '/api/QuickList/Colleagues', { query: { Keyword }, signal, quiet: true }),
  })

export const useCreateList = () =>
  useWrite(KEYS, (body: Body<'/api/QuickList'>) =>
    call('post', '/api/QuickList', { body, quiet: true }),
  )

/** Change the lines or settings. A refusal reloads the list: somebody else may have changed it. */
export const useChangeList = (Id: string) =>
  useWrite(
    KEYS,
    (body: Body<'/api/QuickList/{Id}', 'patch'>) =>
      call('patch', '/api/QuickList/{Id}', { path: { Id }, body, quiet: true }),
    { rereadOnRefusal: true },
  )

export const useCopyList = (Id: string) =>
  useWrite(KEYS, (Name: string) =>
    call('post', '/api/QuickList/{Id}/Copy', { path: { Id }, body: { Name }, quiet: true }),
  )

/** The page of the list is not reloaded: it no longer exists for this person. */
export const useDeleteList = () =>
  useWrite(['quickLists'], (Id: string) => call('delete', '/api/QuickList/{Id}', { path: { Id } }))

/** As `useDeleteList`. */
export const useLeaveList = () =>
  useWrite(['quickLists'], (Id: string) =>
    call('post', '/api/QuickList/{Id}/Leave', { path: { Id } }),
  )

export const useTakeOverList = (Id: string) =>
  useWrite(KEYS, () => call('post', '/api/QuickList/{Id}/TakeOver', { path: { Id } }), {
    rereadOnRefusal: true,
  })

export const useHandOverList = (Id: string) =>
  useWrite(KEYS, (AccountId: string) =>
    call('post', '/api/QuickList/{Id}/HandOver', {
      path: { Id },
      body: { AccountId },
      quiet: true,
    }),
  )

export const useShareList = (Id: string) =>
  useWrite(KEYS, (Members: { AccountId: string; Right: ListRight }[]) =>
    call('put', '/api/QuickList/{Id}/Members', { path: { Id }, body: { Members }, quiet: true }),
  )

/** Add the whole list to the cart, or the chosen products. Returns what was left out or changed. */
export const useListToCart = (Id: string) =>
  useWrite(
    [...KEYS, 'cart', 'checkout'],
    (ProductCodes: string[] | undefined) =>
      call('post', '/api/QuickList/{Id}/AddToCart', {
        path: { Id },
        body: ProductCodes ? { ProductCodes } : {},
      }),
    { rereadOnRefusal: true },
  )
