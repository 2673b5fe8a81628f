import { replace, type MiddlewareFunction } from 'react-router-dom'
import { goToOldMall } from '@/domain/account/account'
import { boot } from '@/lib/boot'
import { clearCookies, mallVersion } from '@/lib/cookies'
import { session } from '@/lib/session'
import { hasUrlCommands } from '@/lib/urlCommands'
import { waitForReturn } from './pageHistory'

/**
 * Calls that work although the cookie chooses the old mall: they lead there, sign in or sign out.
 */
const FREE = /\/api\/Account\/(JumpOldLink|LoginBySession|Logout)\b/

let jumping: Promise<void> | null = null

/**
 * Leave for the old mall. Returns when there is none (the cookie is then deleted) or after the
 * return.
 */
async function jump(): Promise<void> {
  if (await goToOldMall({ tag: 'old' })) await waitForReturn()
  jumping = null
}

/**
 * Leave for the old mall before a call while the cookie chooses it. Staff who act as a customer
 * stay, because the old mall cannot tell them from the customer.
 */
export function oldMallFirst(url: string): Promise<void> | null {
  if (!boot.OldMallEnabled || !mallVersion.isOld() || session.get()?.Acting || FREE.test(url))
    return null
  jumping ??= jump()
  return jumping
}

/**
 * Run before every screen, its guard and its loader: carry out the commands in the address
 * (`sessionKey`, `logout`, `MallVersion`, `redirect`) and replace it with the address without them.
 */
export const globalQuery: MiddlewareFunction = async ({ request }, next) => {
  const url = new URL(request.url)
  if (url.pathname === '/cleanCookie') clearCookies()
  if (hasUrlCommands(url)) {
    const { runUrlCommands } = await import(
      /* webpackChunkName: "urlCommands" */ './runUrlCommands'
    )
    const target = await runUrlCommands(url)
    if (target !== null) throw replace(target)
  }
  await oldMallFirst(url.pathname)
  return next()
}
