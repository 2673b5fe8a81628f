import { session } from '@/lib/session'

/** The query parameters that any address may carry, and that are taken out of it once they have been obeyed. */

const WORDS = ['logout', 'sessionKey', 'SessionKey', 'adminLogin', 'AdminLogin', 'redirectUrl', 'redirect', 'MallVersion'] as const
const TARGETS: readonly string[] = ['redirectUrl', 'redirect']
/** Screens that know themselves what to do with where one was going. */
const OWN_TARGET: readonly string[] = ['/resetPassword', '/wechat-work-auth', '/robotVerify']

/** /login is one of them as long as there is somebody to sign in. */
export const keepsTarget = (pathname: string): boolean => OWN_TARGET.includes(pathname) || (pathname === '/login' && !session.get())

export const hasWords = (url: URL): boolean => WORDS.some((word) => url.searchParams.has(word) && !(TARGETS.includes(word) && keepsTarget(url.pathname)))

/** The same address without them. */
export function withoutWords(url: URL): URL {
  const clean = new URL(url)
  for (const word of WORDS) clean.searchParams.delete(word)
  return clean
}
