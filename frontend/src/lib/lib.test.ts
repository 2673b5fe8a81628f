import { expect, test, vi } from 'vitest'
import { formatMoney, fromFen, sum, times, toFen, yuan } from '@/lib/money'
import { paths } from '@/lib/paths'
import { decodeToken, session } from '@/lib/session'
import { cookieText, readFresh, writeFor } from '@/lib/storage'
import { formatDate, formatTime, greeting } from '@/lib/time'
import { signIn, token } from '@/test/session'

test('money is counted in 分', () => {
  expect(toFen('12.5')).toBe(1250)
  expect(toFen('-0.05')).toBe(-5)
  expect(fromFen(-5)).toBe('-0.05')
  expect(sum(['0.10', '0.20'])).toBe('0.30')
  expect(times('19.99', 3)).toBe('59.97')
})

test('money is shown with thousands separators', () => {
  expect(formatMoney('1234567.5')).toBe('1,234,567.50')
  expect(yuan('-1234')).toBe('-¥1,234.00')
})

test('times are shown in Shanghai', () => {
  expect(formatTime('2026-03-05T18:07:00+00:00')).toBe('2026-03-06 02:07')
  expect(formatDate('2026-03-05T18:07:00Z')).toBe('2026-03-06')
  expect(formatTime(null)).toBe('—')
  expect(greeting(new Date('2026-03-05T01:00:00Z'))).toBe('上午好')
})

test('a token is decoded into the person', () => {
  expect(decodeToken(token())?.User).toEqual({ uid: '7', utype: 'PU', nname: '张采购' })
  expect(decodeToken('nonsense')).toBeNull()
})

test('signing out in another tab signs out here', () => {
  signIn()
  window.dispatchEvent(new StorageEvent('storage', { key: 'Token', newValue: null }))
  expect(session.get()).toBeNull()
})

test('a cookie lasts 30 days, and Strict on http becomes Lax', () => {
  vi.useFakeTimers({ now: new Date('2026-01-01T00:00:00Z') })
  expect(cookieText('MallVersion', 'old', {}, 'http:')).toBe('MallVersion=old; expires=Sat, 31 Jan 2026 00:00:00 GMT; path=/; SameSite=Lax')
  expect(cookieText('a', 'b', { sameSite: 'Strict' }, 'http:')).toContain('SameSite=Lax')
  expect(cookieText('a', 'b', { sameSite: 'Strict' }, 'https:')).toContain('SameSite=Strict; Secure')
  vi.useRealTimers()
})

test('a kept value ends with its time', () => {
  vi.useFakeTimers()
  writeFor('k', 1, 1000)
  expect(readFresh('k')).toBe(1)
  vi.advanceTimersByTime(1000)
  expect(readFresh('k')).toBeNull()
  vi.useRealTimers()
})

test('an address leaves out what is empty', () => {
  expect(paths.products({ Keyword: '笔', Cid: undefined, InStock: false })).toBe('/product/index?Keyword=%E7%AC%94')
  expect(paths.product('100')).toBe('/100.html')
})
