import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { call, type Answer, type Body } from '@/api/call'
import { session, useSession } from '@/lib/session'

export type Profile = Answer<'/api/Account/Profile'>

/** The query of the signed-in person's profile. */
export const profile = (uid: string) =>
  queryOptions({
    queryKey: ['profile', uid],
    queryFn: ({ signal }) => call('get', '/api/Account/Profile', { signal, quiet: true }),
  })

/** Store the answer of a change, and update the name at the top of the page. */
function useStoreProfile(): (changed: Profile) => void {
  const client = useQueryClient()
  const uid = useSession()?.User.uid ?? ''
  return (changed) => {
    client.setQueryData(profile(uid).queryKey, changed)
    session.rename(changed.NickName)
  }
}

export function useChangeProfile() {
  const storeProfile = useStoreProfile()
  return useMutation({
    mutationFn: (body: Body<'/api/Account/Profile', 'patch'>) =>
      call('patch', '/api/Account/Profile', { body, quiet: true }),
    onSuccess: storeProfile,
  })
}

export const useSendContactCode = () =>
  useMutation({
    mutationFn: (body: Body<'/api/Account/SendContactCode'>) =>
      call('post', '/api/Account/SendContactCode', { body, quiet: true }),
  })

export function useChangeContact() {
  const storeProfile = useStoreProfile()
  return useMutation({
    mutationFn: (body: Body<'/api/Account/ChangeContact'>) =>
      call('post', '/api/Account/ChangeContact', { body, quiet: true }),
    onSuccess: storeProfile,
  })
}
