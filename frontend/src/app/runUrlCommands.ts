import { call } from '@/api/call'
import { goToOldMall, logOut } from '@/domain/account/account'
import { boot } from '@/lib/boot'
import { mallVersion } from '@/lib/cookies'
import { allowedTarget } from '@/lib/allowedTarget'
import { session } from '@/lib/session'
import { clearAll } from '@/lib/storage'
import { keepsRedirect, removeUrlCommands } from '@/lib/urlCommands'
import { toast } from '@/ui/toast'
import { waitForReturn, withoutGoingBack } from './pageHistory'

const HOME = '/'

/** Reduce slashes at the start to one: a browser reads two as another site. */
const getPath = (url: URL): string => url.pathname.replace(/^\/+/, '/') + url.search + url.hash

/** Return a target inside the mall; send the browser to any other target. */
async function goToTarget(target: string): Promise<string> {
  if (target.startsWith('/')) return target
  window.location.assign(target)
  await waitForReturn()
  return HOME
}

async function autoLogin(
  sessionKey: string,
  adminLogin: string | null,
  redirect: string | null,
): Promise<string> {
  const isStaff = adminLogin !== null && !['0', 'false'].includes(adminLogin.toLowerCase())
  if (isStaff) clearAll('local')
  session.end()
  const query = { sessionKey, ...(isStaff ? { adminLogin: adminLogin || '1' } : {}) }
  const answer = await call('get', '/api/Account/LoginBySession', { query, quiet: true }).catch(
    () => null,
  )
  if (!answer?.Token || !session.start(answer)) {
    toast.error('自动登录失败，请手动登录')
    return HOME
  }
  if (answer.Redirect) {
    if (await goToOldMall({ tag: 'old', extras: { Redirect: answer.Redirect } }))
      await waitForReturn()
    return HOME
  }
  return goToTarget(allowedTarget(redirect) ?? allowedTarget(answer.ReturnUrl) ?? HOME)
}

/**
 * Carry out the commands in the address. Returns the address to show instead, or null for the same.
 */
export async function runUrlCommands(url: URL): Promise<string | null> {
  const { searchParams: parameters } = url
  const clean = removeUrlCommands(url)
  const redirect = parameters.get('redirectUrl') ?? parameters.get('redirect')
  const version = parameters.get('MallVersion')
  const sessionKey = parameters.get('sessionKey') ?? parameters.get('SessionKey')
  if (redirect && keepsRedirect(url.pathname)) clean.searchParams.set('redirect', redirect)
  if (version === 'new') mallVersion.forget()
  if (sessionKey) {
    // Remove the used key from the history, whatever the result of the sign-in.
    window.history.replaceState(window.history.state, '', getPath(clean))
    return withoutGoingBack(() =>
      autoLogin(sessionKey, parameters.get('adminLogin') ?? parameters.get('AdminLogin'), redirect),
    )
  }
  if (parameters.has('logout') && session.get()) await logOut()
  if (version === 'old' && boot.OldMallEnabled) {
    if (!mallVersion.isOld()) mallVersion.setOld()
    if (await goToOldMall({ tag: 'old' })) await waitForReturn()
  } else if (redirect && !clean.searchParams.has('redirect')) {
    const target = allowedTarget(redirect)
    if (target) return goToTarget(target)
  }
  return getPath(clean)
}
