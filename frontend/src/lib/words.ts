import { session } from '@/lib/session'

/**
 * The query parameters that are commands on every address. They are removed once they are carried
 * out.
 */

const WORDS = [
  'logout',
  'sessionKey',
  'SessionKey',
  'adminLogin',
  'AdminLogin',
  'redirectUrl',
  'redirect',
  'MallVersion',
] as const
const TARGETS: readonly string[] = ['redirectUrl', 'redirect']
/** Screens that handle the redirect target themselves. */
const OWN_TARGET: readonly string[] = ['/resetPassword', '/wechat-work-auth', '/robotVerify']

/** /login is one of them while nobody is signed in. */
export const keepsTarget = (pathname: string): boolean =>
  OWN_TARGET.includes(pathname) || (pathname === '/login' && !session.get())

export const hasWords = (url: URL): boolean =>
  WORDS.some(
    (word) => url.searchParams.has(word) && !(TARGETS.includes(word) && keepsTarget(url.pathname)),
  )

/** Return the address without the commands. */
export function withoutWords(url: URL): URL {
  const clean = new URL(url)
  for (const word of WORDS) clean.searchParams.delete(word)
  return clean
}
