import { queryOptions } from '@tanstack/react-query'
import { call } from '@/api/call'
import { session, type Session } from '@/lib/session'
import { clearCookies, getCookie, setCookie } from '@/lib/storage'
import { toast } from '@/ui/toast'

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

const pause = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, milliseconds)
  })

/** Goes to the old mall: the cookie first (waited for, 10 × 50 ms at most), then the address the server gives. */
export async function goToOldMall(tag = ''): Promise<void> {
  if (tag !== 'old') setCookie('MallVersion', 'old')
  for (let tries = 0; tries < 10 && getCookie('MallVersion') !== 'old'; tries += 1) await pause(50)
  const address: unknown = await call('get', '/api/Account/JumpOldLink', { query: tag ? { tag } : {}, quiet: true }).catch(() => null)
  if (typeof address !== 'string' || address === '') {
    setCookie('MallVersion', '', { days: -1 })
    toast.error('未获取到旧版商城地址')
    return
  }
  window.location.assign(address)
}
