import { expect, test, vi } from 'vitest'
import { formatMoney, fromFen, sum, times, toFen, yuan } from '@/lib/money'
import { paths } from '@/lib/paths'
import { decodeToken, session } from '@/lib/session'
import { readFresh, writeFor } from '@/lib/storage'
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

test.each(['Token', 'UserInfo', null])(
  'removing %s in another tab clears the person here, and says so',
  (key) => {
    signIn()
    let told = 0
    const stop = session.onEndedElsewhere(() => (told += 1))
    window.dispatchEvent(new StorageEvent('storage', { key, newValue: null }))
    stop()
    expect([
      session.get(),
      localStorage.getItem('Token'),
      localStorage.getItem('UserInfo'),
      told,
    ]).toEqual([null, null, null, 1])
  },
)

test('what another tab removes of other things ends nothing', () => {
  signIn()
  window.dispatchEvent(new StorageEvent('storage', { key: 'categories:7', newValue: null }))
  expect(session.get()?.User.uid).toBe('7')
})

test('a token of staff who act as a customer says who, why, and until when by the clock here', () => {
  vi.useFakeTimers({ now: 1_000_000 })
  signIn({ Acting: { By: '运营', Reason: '对账', Seconds: 1800 } })
  expect(session.get()?.Acting).toEqual({
    By: '运营',
    Reason: '对账',
    Until: 1_000_000 + 1_800_000,
  })
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
  expect(paths.products({ Keyword: '笔', Cid: undefined, InStock: false })).toBe(
    '/product/index?Keyword=%E7%AC%94',
  )
  expect(paths.product('100')).toBe('/100.html')
})
