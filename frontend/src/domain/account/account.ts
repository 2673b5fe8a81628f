import { queryOptions, useQueryClient } from '@tanstack/react-query'
import { call } from '@/api/call'
import { clearCookies } from '@/lib/cookies'
import { session, type Session } from '@/lib/session'
import type { Jump } from './oldMall'

/** The codes of the menu entries this account may use. */
export const menuCodes = (uid: string) =>
  queryOptions({ queryKey: ['menuCodes', uid], staleTime: 5 * 60_000, queryFn: ({ signal }) => call('post', '/api/Account/GetUserMenuList', { signal, quiet: true }) })

/** True where the entry has no code, the person is group admin, or the server lists the code. */
export const mayUse = (code: string | null, person: Session | null, codes: readonly string[]): boolean =>
  code === null || person?.User.utype === 'GA' || codes.includes(code)

export const customerLogo = (uid: string) =>
  queryOptions({ queryKey: ['customerLogo', uid], staleTime: 30 * 60_000, queryFn: ({ signal }) => call('post', '/api/ManageService/EnterpriseGroupSet', { signal, quiet: true }) })

/** Ends the session on the server as far as it can be reached, and here in any case. */
export async function logOut(): Promise<void> {
  const token = session.get()?.RefreshToken
  if (token) await call('post', '/api/Account/Logout', { body: { RefreshToken: token }, quiet: true }).catch(() => undefined)
  session.end()
  clearCookies()
}

/** Signs out by hand: the site begins anew at its root, so that nothing of the person is left on the screen. */
export function useLeave(): () => Promise<void> {
  const client = useQueryClient()
  return async () => {
    // What the page still waits for would be refused from here on.
    await client.cancelQueries()
    await logOut()
    window.location.assign('/')
  }
}

/** Leaves for the old mall; what that takes is fetched when it is wanted. See `Jump`. */
export const goToOldMall = async (jump: Jump = {}): Promise<boolean> => (await import(/* webpackChunkName: "oldMall" */ './oldMall')).goToOldMall(jump)
