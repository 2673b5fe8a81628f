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
