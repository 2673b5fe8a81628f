import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { boot } from '@/lib/boot'
import { getCookie, mallVersion } from '@/lib/cookies'
import { answer, sent } from '@/test/server'
import { toasts } from '@/ui/toast'
import { goToOldMall } from './oldMall'

const submitted: Record<string, string>[] = []

beforeEach(() => {
  submitted.length = 0
  window.history.replaceState(null, '', '/product/index?Cid=3&MallVersion=old')
  vi.spyOn(HTMLFormElement.prototype, 'submit').mockImplementation(function submit(
    this: HTMLFormElement,
  ) {
    submitted.push(Object.fromEntries(new FormData(this).entries()) as Record<string, string>)
  })
})
afterEach(() => {
  vi.restoreAllMocks()
  delete (document as { cookie?: string }).cookie
  vi.useRealTimers()
  mallVersion.forget()
  window.history.replaceState(null, '', '/')
  window.dispatchEvent(new Event('pageshow'))
})

test('a call while the page is leaving shares its way, and the cookie stays', async () => {
  answer('get', '/api/Account/JumpOldLink', '/old-mall/?token=t1')
  expect(await goToOldMall({})).toBe(true)
  answer('get', '/api/Account/JumpOldLink', null)
  expect(await goToOldMall({ tag: 'old' })).toBe(true)
  expect(sent).toHaveLength(1)
  expect(submitted).toHaveLength(1)
  expect(getCookie('MallVersion')).toBe('old')
})

test('the switch sets the cookie and posts the ticket, the way back and the extras', async () => {
  answer('get', '/api/Account/JumpOldLink', '/old-mall/?token=t1')
  expect(await goToOldMall({ extras: { from: 'topbar' } })).toBe(true)
  expect(getCookie('MallVersion')).toBe('old')
  expect(sent[0]?.url.search).toBe('')
  expect(submitted).toEqual([
    { token: 't1', returnUrl: 'http://mall.test/product/index?Cid=3', from: 'topbar' },
  ])
})

test('when the tag asked for is old already, the cookie is not set again', async () => {
  answer('get', '/api/Account/JumpOldLink', '/old-mall/?token=t1')
  await goToOldMall({ tag: 'old' })
  expect(getCookie('MallVersion')).toBeNull()
  expect(sent[0]?.url.search).toBe('?tag=old')
})

test('the cookie is looked for every 50 ms, ten times at most, before going', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] })
  // A browser that keeps no cookies.
  const looked: number[] = []
  Object.defineProperty(document, 'cookie', {
    configurable: true,
    set: vi.fn<(text: string) => void>(),
    get: () => {
      looked.push(Date.now())
      return ''
    },
  })
  onTestFinished(() => void Reflect.deleteProperty(document, 'cookie'))
  answer('get', '/api/Account/JumpOldLink', '/old-mall/?token=t1')
  const start = Date.now()
  const going = goToOldMall({})
  await vi.advanceTimersByTimeAsync(499)
  expect(sent).toEqual([])
  await vi.advanceTimersByTimeAsync(1)
  vi.useRealTimers()
  expect(await going).toBe(true)
  // What is looked at later is the tests' server's own doing.
  expect(looked.map((at) => at - start).filter((at) => at < 500)).toEqual([
    0, 50, 100, 150, 200, 250, 300, 350, 400, 450,
  ])
})

test('a cookie that is there at once is not waited for', async () => {
  const timer = vi.spyOn(window, 'setTimeout')
  answer('get', '/api/Account/JumpOldLink', '/old-mall/')
  await goToOldMall({})
  expect(timer.mock.calls.filter(([, milliseconds]) => milliseconds === 50)).toEqual([])
})

test.each([null, '', 42, ['/old-mall/'], 'https://evil.test/old'])(
  'the address %j is none: said, and the cookie goes',
  async (address) => {
    answer('get', '/api/Account/JumpOldLink', address)
    expect(await goToOldMall({})).toBe(false)
    expect(toasts.get().at(-1)).toMatchObject({ kind: 'error', text: '未获取到旧版商城地址' })
    expect(getCookie('MallVersion')).toBeNull()
    expect(submitted).toEqual([])
  },
)

test('an old mall elsewhere is reached where the settings list it', async () => {
  boot.RedirectOrigins = ['https://old.example']
  answer('get', '/api/Account/JumpOldLink', 'https://old.example/home?token=t1')
  expect(await goToOldMall({})).toBe(true)
  boot.RedirectOrigins = []
  expect(document.querySelector('form:last-of-type')).toHaveAttribute(
    'action',
    'https://old.example/home',
  )
})
