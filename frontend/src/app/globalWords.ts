import { call } from '@/api/call'
import { goToOldMall, logOut } from '@/domain/account/account'
import { boot } from '@/lib/boot'
import { mallVersion } from '@/lib/cookies'
import { allowedTarget } from '@/lib/allowedTarget'
import { session } from '@/lib/session'
import { clearAll } from '@/lib/storage'
import { keepsTarget, withoutWords } from '@/lib/words'
import { toast } from '@/ui/toast'
import { waitForReturn, withoutGoingBack } from './pageHistory'

const HOME = '/'

/** Reduce slashes at the start to one: a browser reads two as another site. */
const pathOf = (url: URL): string => url.pathname.replace(/^\/+/, '/') + url.search + url.hash

/** Return a target inside the mall; send the browser to any other target. */
async function lead(target: string): Promise<string> {
  if (target.startsWith('/')) return target
  window.location.assign(target)
  await waitForReturn()
  return HOME
}

async function autoLogin(
  sessionKey: string,
  adminLogin: string | null,
  wanted: string | null,
): Promise<string> {
  const asStaff = adminLogin !== null && !['0', 'false'].includes(adminLogin.toLowerCase())
  if (asStaff) clearAll('local')
  session.end()
  const query = { sessionKey, ...(asStaff ? { adminLogin: adminLogin || '1' } : {}) }
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
  return lead(allowedTarget(wanted) ?? allowedTarget(answer.ReturnUrl) ?? HOME)
}

/**
 * Carry out the commands in the address. Returns the address to show instead, or null for the same.
 */
export async function obey(url: URL): Promise<string | null> {
  const { searchParams: asked } = url
  const clean = withoutWords(url)
  const wanted = asked.get('redirectUrl') ?? asked.get('redirect')
  const version = asked.get('MallVersion')
  const sessionKey = asked.get('sessionKey') ?? asked.get('SessionKey')
  if (wanted && keepsTarget(url.pathname)) clean.searchParams.set('redirect', wanted)
  if (version === 'new') mallVersion.forget()
  if (sessionKey) {
    // Remove the used key from the history, whatever the result of the sign-in.
    window.history.replaceState(window.history.state, '', pathOf(clean))
    return withoutGoingBack(() =>
      autoLogin(sessionKey, asked.get('adminLogin') ?? asked.get('AdminLogin'), wanted),
    )
  }
  if (asked.has('logout') && session.get()) await logOut()
  if (version === 'old' && boot.OldMallEnabled) {
    if (!mallVersion.isOld()) mallVersion.setOld()
    if (await goToOldMall({ tag: 'old' })) await waitForReturn()
  } else if (wanted && !clean.searchParams.has('redirect')) {
    const target = allowedTarget(wanted)
    if (target) return lead(target)
  }
  return pathOf(clean)
}
