import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { call, type Answer } from '@/api/call'

export type SignIn = Answer<'/api/Account/Session'>['Items'][number]

/** The user's sessions, latest used first. */
export const sessions = (uid: string) =>
  queryOptions({
    queryKey: ['sessions', uid],
    queryFn: ({ signal }) =>
      call('get', '/api/Account/Session', { query: { PageSize: 100 }, signal, quiet: true }),
  })

/** Ends one session by its key. Without a key, ends all other sessions. */
export function useSignOut(uid: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (Id: string | null) =>
      call('post', '/api/Account/Session/SignOut', { body: Id ? { Id } : {} }),
    onSettled: () => client.invalidateQueries({ queryKey: sessions(uid).queryKey }),
  })
}

export type FactorChange = 'Confirm' | 'RenewCodes' | 'ForgetDevices' | 'Remove'

/** The state of the user's second factor. */
export const secondFactor = (uid: string) =>
  queryOptions({
    queryKey: ['secondFactor', uid],
    queryFn: ({ signal }) => call('get', '/api/Account/SecondFactor', { signal, quiet: true }),
  })

/** `begin` returns the secret to set up; `change` returns new recovery codes, if there are any. */
export function useSecondFactor(uid: string) {
  const client = useQueryClient()
  const begin = useMutation({
    mutationFn: (Password: string) =>
      call('post', '/api/Account/SecondFactor/Begin', { body: { Password }, quiet: true }),
  })
  const change = useMutation({
    mutationFn: async (to: { act: FactorChange; SecondFactorCode: string }) => {
      const options = { body: { SecondFactorCode: to.SecondFactorCode }, quiet: true }
      if (to.act === 'Confirm' || to.act === 'RenewCodes') {
        const path = `/api/Account/SecondFactor/${to.act}` as const
        const { RecoveryCodes } = await call('post', path, options)
        return RecoveryCodes
      }
      await call('post', `/api/Account/SecondFactor/${to.act}` as const, options)
      return []
    },
    onSettled: () => client.invalidateQueries({ queryKey: secondFactor(uid).queryKey }),
  })
  return { begin, change }
}
