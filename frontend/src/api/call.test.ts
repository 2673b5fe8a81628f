import { http, HttpResponse } from 'msw'
import { beforeEach, expect, test, vi } from 'vitest'
import { call } from '@/api/call'
import { isApiError } from '@/api/errors'
import { plugShell } from '@/api/shell'
import { session } from '@/lib/session'
import { answer, refuse, sent, server } from '@/test/server'
import { signIn, token } from '@/test/session'

const errors: string[] = []
const prompts: string[] = []

beforeEach(() => {
  errors.length = 0
  prompts.length = 0
  plugShell({
    error: (message) => errors.push(message),
    promptLogin: (message) => prompts.push(message),
  })
})

test('a successful call answers MsgBody', async () => {
  answer('post', '/api/ShoppingCart/Count', 12)
  expect(await call('post', '/api/ShoppingCart/Count')).toBe(12)
})

test('the bearer token goes with every call', async () => {
  signIn()
  answer('post', '/api/ShoppingCart/Count', 0)
  await call('post', '/api/ShoppingCart/Count')
  expect(sent[0]?.headers.get('Authorization')).toBe(`Bearer ${token()}`)
})

test('path parameters and Chinese segments are encoded, lists give their key many times', async () => {
  answer('get', '/api/Product', { Items: [] })
  await call('get', '/api/Product', { query: { Keyword: '签字笔 0.5', Brand: ['a&b', 'c'] } })
  expect(sent[0]?.url.search).toBe('?Keyword=%E7%AD%BE%E5%AD%97%E7%AC%94+0.5&Brand=a%26b&Brand=c')
  answer('get', '/api/Product/{ProductCode}', {})
  await call('get', '/api/Product/{ProductCode}', { path: { ProductCode: 'a/b' } })
  expect(sent[1]?.url.pathname).toBe('/api/Product/a%2Fb')
})

test('a refusal shows RetMessage and carries its code and field errors', async () => {
  refuse('post', '/api/Account/Login', {
    code: 'validation',
    message: '请检查输入',
    body: { Errors: { UserName: ['必填'] } },
  })
  const error = await call('post', '/api/Account/Login', {
    body: { UserName: '', Password: '' },
  }).catch((caught: unknown) => caught)
  expect(isApiError(error, 'validation') && error.fields).toEqual({ UserName: ['必填'] })
  expect(errors).toEqual(['请检查输入'])
})

test('a refusal without a message says 请求失败', async () => {
  refuse('get', '/api/Product', {})
  await expect(call('get', '/api/Product')).rejects.toThrow('请求失败')
})

test.each([
  [403, '拒绝访问'],
  [404, '请求地址错误'],
  [500, '服务器故障'],
  [502, '网络连接故障'],
  [418, '网络连接故障'],
])('status %i says %s', async (status, message) => {
  refuse('get', '/api/Product', { status, message: '别的话' })
  await expect(call('get', '/api/Product')).rejects.toThrow(message)
  expect(errors).toEqual([message])
})

test('a write to what another tab removed says what is gone', async () => {
  refuse('post', '/api/ShoppingCart/Remove', { status: 404, message: '购物车中没有该商品' })
  await expect(call('post', '/api/ShoppingCart/Remove', { body: { Ids: ['1'] } })).rejects.toThrow(
    '请求地址错误',
  )
  expect(errors).toEqual(['请求地址错误：购物车中没有该商品'])
})

test('a quiet call shows nothing', async () => {
  refuse('get', '/api/Product', { message: '不行' })
  await expect(call('get', '/api/Product', { quiet: true })).rejects.toThrow('不行')
  expect(errors).toEqual([])
})

test('the same error is shown once within three seconds', async () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  refuse('get', '/api/Product', { message: '库存不足' })
  const attempt = (): Promise<unknown> => call('get', '/api/Product').catch(() => null)
  await attempt()
  vi.setSystemTime(Date.now() + 2999)
  await attempt()
  expect(errors).toEqual(['库存不足'])
  vi.setSystemTime(Date.now() + 2)
  await attempt()
  expect(errors).toEqual(['库存不足', '库存不足'])
  vi.useRealTimers()
})

/** Answers 401 to the old token and 7 to the new one. */
function expireFirstToken(): { refreshes: () => number } {
  let refreshes = 0
  server.use(
    http.post('/api/ShoppingCart/Count', ({ request }) =>
      request.headers.get('Authorization') === `Bearer ${token({}, 2)}`
        ? HttpResponse.json({ MsgHeader: { Success: true }, MsgBody: 7 })
        : HttpResponse.json(
            { MsgHeader: { Success: false, RetCode: 'not_logged_in' } },
            { status: 401 },
          ),
    ),
    http.post('/api/Account/RefreshToken', () => {
      refreshes += 1
      return HttpResponse.json({
        MsgHeader: { Success: true },
        MsgBody: { Token: token({}, 2), RefreshToken: 'refresh-2' },
      })
    }),
  )
  return { refreshes: () => refreshes }
}

test('five calls that meet an expired token share one refresh', async () => {
  signIn()
  const { refreshes } = expireFirstToken()
  const answers = await Promise.all(
    Array.from({ length: 5 }, () => call('post', '/api/ShoppingCart/Count')),
  )
  expect(answers).toEqual([7, 7, 7, 7, 7])
  expect(refreshes()).toBe(1)
  expect(session.get()?.RefreshToken).toBe('refresh-2')
})

test('a token another tab has refreshed is taken without a refresh', async () => {
  signIn()
  const { refreshes } = expireFirstToken()
  localStorage.setItem('Token', JSON.stringify(token({}, 2)))
  expect(await call('post', '/api/ShoppingCart/Count')).toBe(7)
  expect(refreshes()).toBe(0)
})

test('a refused refresh signs out and asks to sign in again', async () => {
  signIn()
  refuse('post', '/api/ShoppingCart/Count', { status: 401 })
  refuse('post', '/api/Account/RefreshToken', {})
  await expect(call('post', '/api/ShoppingCart/Count')).rejects.toThrow('登录已过期，请重新登录')
  expect(session.get()).toBeNull()
  expect(prompts).toEqual(['登录已过期，请重新登录'])
})

test('a refresh that meets a broken server keeps the person signed in', async () => {
  signIn()
  refuse('post', '/api/ShoppingCart/Count', { status: 401 })
  refuse('post', '/api/Account/RefreshToken', { status: 500 })
  await expect(call('post', '/api/ShoppingCart/Count')).rejects.toThrow('网络连接故障')
  expect(session.get()).not.toBeNull()
})

test('a visitor who needs to sign in is asked to, with code 401', async () => {
  refuse('post', '/api/ShoppingCart/AddToCart', { status: 401 })
  const error = await call('post', '/api/ShoppingCart/AddToCart', { body: { Items: [] } }).catch(
    (caught: unknown) => caught,
  )
  expect(isApiError(error) && error.status).toBe(401)
  expect(prompts).toEqual(['未登录或登录已过期，请重新登录'])
})

test('a rate limit opens one dialog, and the waiting calls go on after it', async () => {
  let blocked = true
  const shown: unknown[] = []
  server.use(
    http.post('/api/ShoppingCart/Count', () =>
      blocked
        ? HttpResponse.json(
            { MsgHeader: { Success: false }, MsgBody: { Ip: '1.2.3.4', Guid: 'g' } },
            { status: 429 },
          )
        : HttpResponse.json({ MsgHeader: { Success: true }, MsgBody: 3 }),
    ),
  )
  plugShell({
    unlock: (info) => {
      shown.push(info)
      blocked = false
      return Promise.resolve(true)
    },
  })
  expect(
    await Promise.all([
      call('post', '/api/ShoppingCart/Count'),
      call('post', '/api/ShoppingCart/Count'),
    ]),
  ).toEqual([3, 3])
  expect(shown).toEqual([{ Ip: '1.2.3.4', CurrentTime: '未知', Target: '未知', Guid: 'g' }])
})

test('a repeated submit keeps its key until it succeeds; another body has another key', async () => {
  const body = (Quantity: number) => ({ body: { Items: [{ ProductCode: '1', Quantity }] } })
  refuse('post', '/api/ShoppingCart/AddToCart', {})
  await call('post', '/api/ShoppingCart/AddToCart', body(1)).catch(() => null)
  await call('post', '/api/ShoppingCart/AddToCart', body(1)).catch(() => null)
  answer('post', '/api/ShoppingCart/AddToCart', null)
  await call('post', '/api/ShoppingCart/AddToCart', body(2))
  await call('post', '/api/ShoppingCart/AddToCart', body(2))
  const keys = sent.map(({ headers }) => headers.get('Idempotency-Key'))
  expect(keys[0]).toBe(keys[1])
  expect(new Set(keys).size).toBe(3)
})

test('reads carry no key', async () => {
  answer('post', '/api/ShoppingCart/Count', 0)
  await call('post', '/api/ShoppingCart/Count')
  expect(sent[0]?.headers.has('Idempotency-Key')).toBe(false)
})

/** A favourite whose answer comes when `release` is called. */
function slowWrite(): { done: Promise<unknown>; release: () => void } {
  let release: () => void = () => undefined
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  server.use(
    http.post('/api/Favorite/Add', async () => {
      await held
      return HttpResponse.json({ MsgHeader: { Success: true }, MsgBody: null })
    }),
  )
  return { done: call('post', '/api/Favorite/Add', { body: { TargetId: '1', Type: 1 } }), release }
}

test('the overlay opens after 200 ms and closes 300 ms after the last writing call', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const states: boolean[] = []
  plugShell({ busy: (on) => states.push(on) })
  const { done, release } = slowWrite()
  vi.advanceTimersByTime(199)
  expect(states).toEqual([])
  vi.advanceTimersByTime(1)
  expect(states).toEqual([true])
  release()
  await done
  vi.advanceTimersByTime(299)
  expect(states).toEqual([true])
  vi.advanceTimersByTime(1)
  expect(states).toEqual([true, false])
  vi.useRealTimers()
})

test('a call of less than 200 ms does not flash the overlay', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const states: boolean[] = []
  plugShell({ busy: (on) => states.push(on) })
  const { done, release } = slowWrite()
  vi.advanceTimersByTime(199)
  release()
  await done
  vi.advanceTimersByTime(1000)
  expect(states).toEqual([])
  vi.useRealTimers()
})

test('a call may do without the overlay', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const states: boolean[] = []
  plugShell({ busy: (on) => states.push(on) })
  answer('post', '/api/Favorite/Add', null)
  const done = call('post', '/api/Favorite/Add', {
    body: { TargetId: '1', Type: 1 },
    loading: false,
  })
  vi.advanceTimersByTime(1000)
  await done
  expect(states).toEqual([])
  vi.useRealTimers()
})

test('a call that only reads shows no overlay, however long it takes', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const states: boolean[] = []
  plugShell({ busy: (on) => states.push(on) })
  answer('get', '/api/Search/Suggest', {})
  const done = call('get', '/api/Search/Suggest', { query: { Key: '笔' } })
  vi.advanceTimersByTime(1000)
  await done
  expect(states).toEqual([])
  vi.useRealTimers()
})

test('what needs a signed-in person is refused with 401 and sends nothing', async () => {
  const error = await call('post', '/api/Favorite/Add', {
    body: { TargetId: '1', Type: 1 },
    login: true,
  }).catch((caught: unknown) => caught)
  expect(isApiError(error) && [error.status, error.message]).toEqual([
    401,
    '未登录或登录已过期，请重新登录',
  ])
  expect(prompts).toEqual(['未登录或登录已过期，请重新登录'])
  expect(sent).toEqual([])
})

test('a call that waits for the unlocking is refused with the one that was blocked', async () => {
  let decide: (unlocked: boolean) => void = () => undefined
  refuse('post', '/api/ShoppingCart/Count', { status: 429 })
  answer('get', '/api/Product', { Items: [] })
  plugShell({
    unlock: () =>
      new Promise((resolve) => {
        decide = resolve
      }),
  })
  const first = call('post', '/api/ShoppingCart/Count').catch((caught: unknown) => caught)
  await vi.waitFor(() => expect(sent).toHaveLength(1))
  await vi.waitFor(() => expect(decide).not.toBeUndefined())
  await new Promise((resolve) => setTimeout(resolve, 0))
  const waiting = call('get', '/api/Product').catch((caught: unknown) => caught)
  decide(false)
  expect(await first).toMatchObject({ status: 429 })
  expect(await waiting).toMatchObject({ status: 429 })
  expect(sent).toHaveLength(1)
})

test('a block that the slide does not lift is told once, in the words of the server', async () => {
  let asked = 0
  refuse('post', '/api/ShoppingCart/Count', { status: 429, message: '操作过于频繁，请稍后再试' })
  plugShell({
    error: (message) => errors.push(message),
    unlock: () => {
      asked += 1
      return Promise.resolve(true)
    },
  })
  await expect(call('post', '/api/ShoppingCart/Count')).rejects.toThrow('操作过于频繁，请稍后再试')
  expect([asked, errors]).toEqual([1, ['操作过于频繁，请稍后再试']])
})

test('a block that only time lifts asks for no slide and says how long to wait', async () => {
  let asked = 0
  refuse('post', '/api/ShoppingCart/Count', {
    status: 429,
    code: 'rate_limited',
    message: '操作过于频繁，请稍后再试',
    body: { RetryAfter: 40 },
    headers: { 'Retry-After': '40' },
  })
  plugShell({
    error: (message) => errors.push(message),
    unlock: () => {
      asked += 1
      return Promise.resolve(true)
    },
  })
  await expect(call('post', '/api/ShoppingCart/Count')).rejects.toThrow('操作过于频繁，请稍后再试')
  expect([asked, errors]).toEqual([0, ['操作过于频繁，请稍后再试']])
})
