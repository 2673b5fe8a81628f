import { redirect, type LoaderFunctionArgs } from 'react-router-dom'
import { call } from '@/api/call'
import { goToOldMall, logOut } from '@/domain/account/account'
import { boot } from '@/lib/boot'
import { safeRedirect } from '@/lib/redirect'
import { session } from '@/lib/session'
import { clearAll, getCookie, setCookie } from '@/lib/storage'
import { toast } from '@/ui/toast'

/** The parameters any address may carry: logout, sessionKey, adminLogin, redirectUrl/redirect, MallVersion. */
interface Asked {
  logout: boolean
  sessionKey: string | null
  adminLogin: string | null
  redirect: string | null
  mallVersion: string | null
}

export function readGlobalQuery(params: URLSearchParams): Asked {
  return {
    logout: params.has('logout'),
    sessionKey: params.get('sessionKey') ?? params.get('SessionKey'),
    adminLogin: params.get('adminLogin') ?? params.get('AdminLogin'),
    redirect: params.get('redirectUrl') ?? params.get('redirect'),
    mallVersion: params.get('MallVersion'),
  }
}

const stay = (): void => window.history.pushState(null, '', window.location.href)

/** While auto-login runs there is no way back to the address with the spent key. */
async function withoutGoingBack<T>(work: () => Promise<T>): Promise<T> {
  stay()
  window.addEventListener('popstate', stay)
  try {
    return await work()
  } finally {
    window.removeEventListener('popstate', stay)
  }
}

async function autoLogin({ sessionKey, adminLogin, redirect: target }: Asked): Promise<string> {
  if (adminLogin) clearAll('local')
  session.end()
  const query = { sessionKey: sessionKey ?? '', ...(adminLogin ? { adminLogin } : {}) }
  const answer = await call('get', '/api/Account/LoginBySession', { query, quiet: true, loading: true }).catch(() => null)
  if (!answer?.Token || !session.start(answer)) {
    toast.error('自动登录失败，请手动登录')
    return '/'
  }
  if (answer.Redirect) {
    window.location.assign(answer.Redirect)
    return '/'
  }
  return safeRedirect(target ?? answer.ReturnUrl)
}

/** Runs on every address before its screen; redirects to the same address without what it has done. */
export async function globalQuery({ request }: LoaderFunctionArgs): Promise<Response | null> {
  const url = new URL(request.url)
  const asked = readGlobalQuery(url.searchParams)
  if (asked.mallVersion === 'new') setCookie('MallVersion', '', { days: -1 })
  if (asked.sessionKey) return redirect(await withoutGoingBack(() => autoLogin(asked)))
  if (asked.logout) {
    if (session.get()) await logOut()
    url.searchParams.delete('logout')
    return redirect(url.pathname + url.search)
  }
  if (boot.OldMallEnabled && getCookie('MallVersion') === 'old') await goToOldMall('old')
  return null
}
