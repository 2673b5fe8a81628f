import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { call, type Answer, type Body, type Query } from '@/api/call'
import { upload } from '@/api/upload'
import { useWrite } from '@/api/useWrite'

export type Group = Answer<'/api/Group/{Id}'>
export type GroupChange = Body<'/api/Group/{Id}', 'patch'>
export type Enterprise = Answer<'/api/Enterprise/{Id}'>
export type EnterpriseBody = Body<'/api/Enterprise'>
export type EnterpriseQuery = Query<'/api/Enterprise/Managed'>

/** The caller's own group. */
export const ownGroup = () =>
  queryOptions({
    queryKey: ['group'],
    queryFn: async ({ signal }) =>
      (await call('get', '/api/Group', { signal, quiet: true })).Items[0] ?? null,
    staleTime: 0,
  })

/** How many people of the group have no second factor. */
export const factorGap = (pk: string) =>
  queryOptions({
    queryKey: ['group', 'factorGap', pk],
    queryFn: ({ signal }) =>
      call('get', '/api/Group/{Id}/SecondFactorGap', { path: { Id: pk }, signal, quiet: true }),
    staleTime: 0,
  })

export const enterprises = (query: EnterpriseQuery) =>
  queryOptions({
    queryKey: ['enterprises', query],
    queryFn: ({ signal }) => call('get', '/api/Enterprise/Managed', { query, signal, quiet: true }),
    placeholderData: keepPreviousData,
    staleTime: 0,
  })

/** Queries that a change of the group affects. */
const TOUCHED = ['group', 'enterprises', 'changes', 'customerLogo', 'departments', 'checkout']

export const useSaveGroup = (pk: string) =>
  useWrite(TOUCHED, (body: GroupChange) =>
    call('patch', '/api/Group/{Id}', { path: { Id: pk }, body, quiet: true }),
  )

export const useLogo = (pk: string) =>
  useWrite(TOUCHED, async (file: File | null): Promise<unknown> =>
    file
      ? upload(file, {
          url: `/api/Group/${pk}/Logo`,
          rules: {
            types: ['image/png', 'image/jpeg', 'image/webp'],
            maxMb: 2,
            typeMessage: '请上传 PNG、JPEG 或 WebP 图片',
            maxMessage: '图片大小不能超过2MB',
          },
        })
      : call('delete', '/api/Group/{Id}/Logo', { path: { Id: pk } }),
  )

export const useSaveEnterprise = (pk: string | null) =>
  useWrite(TOUCHED, async (body: EnterpriseBody): Promise<unknown> =>
    pk === null
      ? call('post', '/api/Enterprise', { body, quiet: true })
      : call('patch', '/api/Enterprise/{Id}', { path: { Id: pk }, body, quiet: true }),
  )

export const useTurnEnterprise = () =>
  useWrite(TOUCHED, ({ Id: pk, IsActive }: { Id: string; IsActive: boolean }) =>
    call('patch', '/api/Enterprise/{Id}', { path: { Id: pk }, body: { IsActive } }),
  )

export const useDeleteEnterprise = () =>
  useWrite(TOUCHED, (pk: string) => call('delete', '/api/Enterprise/{Id}', { path: { Id: pk } }))
