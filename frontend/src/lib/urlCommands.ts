import { session } from '@/lib/session'

/**
 * The query parameters that are commands on every address. They are removed once they are carried
 * out.
 */

const COMMANDS = [
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
const HANDLES_REDIRECT: readonly string[] = ['/resetPassword', '/wechat-work-auth', '/robotVerify']

/** /login is one of them while nobody is signed in. */
export const keepsRedirect = (pathname: string): boolean =>
  HANDLES_REDIRECT.includes(pathname) || (pathname === '/login' && !session.get())

export const hasUrlCommands = (url: URL): boolean =>
  COMMANDS.some(
    (command) =>
      url.searchParams.has(command) && !(TARGETS.includes(command) && keepsRedirect(url.pathname)),
  )

/** Return the address without the commands. */
export function removeUrlCommands(url: URL): URL {
  const clean = new URL(url)
  for (const command of COMMANDS) clean.searchParams.delete(command)
  return clean
}
