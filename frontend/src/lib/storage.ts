/** localStorage, sessionStorage and cookies that never throw: a browser may forbid all of them. */

type Kind = 'local' | 'session'

const area = (kind: Kind): Storage | null => {
  try {
    return kind === 'local' ? window.localStorage : window.sessionStorage
  } catch {
    return null
  }
}

export function read<T>(kind: Kind, key: string): T | null {
  try {
    const text = area(kind)?.getItem(key)
    return text ? (JSON.parse(text) as T) : null
  } catch {
    return null
  }
}

export function write(kind: Kind, key: string, value: unknown): void {
  try {
    area(kind)?.setItem(key, JSON.stringify(value))
  } catch {
    // Full or forbidden: the value simply is not kept.
  }
}

export function remove(kind: Kind, key: string): void {
  try {
    area(kind)?.removeItem(key)
  } catch {
    // Forbidden: there was nothing to remove.
  }
}

export function clearAll(kind: Kind): void {
  try {
    area(kind)?.clear()
  } catch {
    // Forbidden: there was nothing to clear.
  }
}

/** Keeps a value for `milliseconds`; afterwards it reads as null. */
export function writeFor(key: string, value: unknown, milliseconds: number): void {
  write('local', key, { value, until: Date.now() + milliseconds })
}

export function readFresh<T>(key: string): T | null {
  const kept = read<{ value: T; until: number }>('local', key)
  if (!kept || kept.until <= Date.now()) return null
  return kept.value
}

interface CookieOptions {
  days?: number
  path?: string
  sameSite?: 'Lax' | 'Strict' | 'None'
}

/** The spec's section 9: 30 days, path /, Lax; Secure only on https, and on http Strict becomes Lax. */
export function cookieText(name: string, value: string, { days = 30, path = '/', sameSite = 'Lax' }: CookieOptions, protocol: string): string {
  const secure = protocol === 'https:'
  const site = secure || sameSite === 'Lax' ? sameSite : 'Lax'
  const expires = new Date(Date.now() + days * 86_400_000).toUTCString()
  return `${encodeURIComponent(name)}=${encodeURIComponent(value)}; expires=${expires}; path=${path}; SameSite=${site}${secure ? '; Secure' : ''}`
}

export function setCookie(name: string, value: string, options: CookieOptions = {}): void {
  document.cookie = cookieText(name, value, options, window.location.protocol)
}

export function getCookie(name: string): string | null {
  const wanted = `${encodeURIComponent(name)}=`
  const found = document.cookie.split('; ').find((part) => part.startsWith(wanted))
  return found ? decodeURIComponent(found.slice(wanted.length)) : null
}

const KEPT_COOKIES = ['sessionid', 'MallVersion']

/** Clears every cookie the page can see, but for the session's and the mall version's. */
export function clearCookies(): void {
  for (const part of document.cookie.split('; ')) {
    const name = decodeURIComponent(part.split('=')[0] ?? '')
    if (name && !KEPT_COOKIES.includes(name)) setCookie(name, '', { days: -1 })
  }
}
