/**
 * Cookies as in section 9 of the spec. They never throw, because a browser may forbid all of them.
 */

export interface CookieOptions {
  days?: number
  path?: string
  sameSite?: 'Lax' | 'Strict' | 'None'
}

/**
 * 30 days, path /, Lax; Secure only on https, and on http Strict (and None, which needs Secure)
 * becomes Lax.
 */
export function cookieText(
  name: string,
  value: string,
  { days = 30, path = '/', sameSite = 'Lax' }: CookieOptions,
  protocol: string,
): string {
  const secure = protocol === 'https:'
  const site = secure ? sameSite : 'Lax'
  const expires = new Date(Date.now() + days * 86_400_000).toUTCString()
  return `${encodeURIComponent(name)}=${encodeURIComponent(value)}; expires=${expires}; path=${path}; SameSite=${site}${secure ? '; Secure' : ''}`
}

export function setCookie(name: string, value: string, options: CookieOptions = {}): void {
  document.cookie = cookieText(name, value, options, window.location.protocol)
}

export const removeCookie = (name: string): void => setCookie(name, '', { days: -1 })

/** Returns the raw value if it cannot be decoded, because other systems write cookies too. */
function decodeCookie(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** Name and value of every cookie the page can see. */
export const cookies = (): [string, string][] =>
  document.cookie
    .split('; ')
    .filter(Boolean)
    .map((part) => {
      const [name = '', ...value] = part.split('=')
      return [decodeCookie(name), decodeCookie(value.join('='))]
    })

export const getCookie = (name: string): string | null =>
  cookies().find(([one]) => one === name)?.[1] ?? null

const SESSION = 'sessionid'
const MALL_VERSION = 'MallVersion'

/** Delete every cookie the page can see, except those of the session and the mall version. */
export function clearCookies(): void {
  for (const [name] of cookies()) if (name !== SESSION && name !== MALL_VERSION) removeCookie(name)
}

/** The mall that this browser uses: `old` or the new one. */
export const mallVersion = {
  isOld: (): boolean => getCookie(MALL_VERSION) === 'old',
  setOld: (): void => setCookie(MALL_VERSION, 'old'),
  forget: (): void => removeCookie(MALL_VERSION),
}
