import { queryOptions, useQueryClient } from '@tanstack/react-query'
import { call } from '@/api/call'
import { clearCookies } from '@/lib/cookies'
import { session, type Session } from '@/lib/session'
import type { Jump } from './oldMall'

/** The codes of the menu entries that this account may use. */
export const menuCodes = (uid: string) =>
  queryOptions({
    queryKey: ['menuCodes', uid],
    staleTime: 5 * 60_000,
    queryFn: ({ signal }) => call('post', '/api/Account/GetUserMenuList', { signal, quiet: true }),
  })

/** True where the entry has no code, the person is group admin, or the server lists the code. */
export const mayUse = (
  code: string | null,
  person: Session | null,
  codes: readonly string[],
): boolean => code === null || person?.User.utype === 'GA' || codes.includes(code)

export const customerLogo = (uid: string) =>
  queryOptions({
    queryKey: ['customerLogo', uid],
    staleTime: 30 * 60_000,
    queryFn: ({ signal }) =>
      call('post', '/api/ManageService/EnterpriseGroupSet', { signal, quiet: true }),
  })

/** End the session here, and on the server if it can be reached. */
export async function logOut(): Promise<void> {
  const token = session.get()?.RefreshToken
  if (token)
    await call('post', '/api/Account/Logout', { body: { RefreshToken: token }, quiet: true }).catch(
      () => undefined,
    )
  session.end()
  clearCookies()
}

/**
 * Sign out on request and reload the home page, so that no data of the person stays on the screen.
 */
export function useLeave(): () => Promise<void> {
  const client = useQueryClient()
  return async () => {
    // Cancel running requests, which would be refused from now on.
    await client.cancelQueries()
    await logOut()
    window.location.assign('/')
  }
}

/** Go to the old mall. The code is loaded on demand. See `Jump`. */
export const goToOldMall = async (jump: Jump = {}): Promise<boolean> =>
  (await import(/* webpackChunkName: "oldMall" */ './oldMall')).goToOldMall(jump)
