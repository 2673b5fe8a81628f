import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import {
  clearCookies,
  cookieText,
  getCookie,
  mallVersion,
  removeCookie,
  setCookie,
} from '@/lib/cookies'

beforeEach(() => void vi.useFakeTimers({ now: new Date('2026-01-01T00:00:00Z') }))
afterEach(() => {
  for (const name of ['a', 'sessionid', 'MallVersion', 'csrftoken', '%E0%A4%A'])
    document.cookie = `${name}=; expires=Thu, 01 Jan 1970 00:00:00 GMT; path=/`
  vi.useRealTimers()
})

test('a cookie lasts 30 days on path /, Lax, and is not Secure on http', () => {
  expect(cookieText('MallVersion', 'old', {}, 'http:')).toBe(
    'MallVersion=old; expires=Sat, 31 Jan 2026 00:00:00 GMT; path=/; SameSite=Lax',
  )
})

test('on https it is Secure', () => {
  expect(cookieText('MallVersion', 'old', {}, 'https:')).toBe(
    'MallVersion=old; expires=Sat, 31 Jan 2026 00:00:00 GMT; path=/; SameSite=Lax; Secure',
  )
})

test('Strict stays on https and becomes Lax on http', () => {
  expect(cookieText('a', 'b', { sameSite: 'Strict' }, 'https:')).toContain(
    'SameSite=Strict; Secure',
  )
  expect(cookieText('a', 'b', { sameSite: 'Strict' }, 'http:')).toMatch(/SameSite=Lax$/)
})

test('days and path are as asked', () => {
  expect(cookieText('a', 'b', { days: 1, path: '/shop' }, 'http:')).toBe(
    'a=b; expires=Fri, 02 Jan 2026 00:00:00 GMT; path=/shop; SameSite=Lax',
  )
})

test('what is written is read back, whatever is in it', () => {
  setCookie('a', '一; =二')
  expect(getCookie('a')).toBe('一; =二')
  removeCookie('a')
  expect(getCookie('a')).toBeNull()
})

test('clearing leaves the session cookie and MallVersion', () => {
  for (const name of ['a', 'sessionid', 'MallVersion', 'csrftoken']) setCookie(name, 'x')
  clearCookies()
  expect(['a', 'sessionid', 'MallVersion', 'csrftoken'].map(getCookie)).toEqual([
    null,
    'x',
    'x',
    null,
  ])
})

test('a cookie of another system that cannot be decoded breaks nothing', () => {
  document.cookie = 'a=%E0%A4%A; path=/'
  expect(getCookie('a')).toBe('%E0%A4%A')
  mallVersion.setOld()
  expect(mallVersion.isOld()).toBe(true)
})
