import { http, HttpResponse } from 'msw'
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest'
import { call } from '@/api/call'
import { plugShell } from '@/api/shell'
import { session } from '@/lib/session'
import { answer, refuse, sent, server } from '@/test/server'
import { signIn, token } from '@/test/session'

const prompts: string[] = []
const count = (): Promise<unknown> =>
  call('post', '/api/ShoppingCart/Count').catch((error: unknown) => error)
const refreshes = (): number =>
  sent.filter(({ url }) => url.pathname === '/api/Account/RefreshToken').length

beforeEach(() => {
  prompts.length = 0
  plugShell({ promptLogin: (message) => prompts.push(message) })
  refuse('post', '/api/ShoppingCart/Count', { status: 401 })
})
afterEach(() => {
  Reflect.deleteProperty(navigator, 'locks')
})

test('a token whose person is not known here cannot be refreshed: 用户信息不存在', async () => {
  localStorage.setItem('Token', JSON.stringify(token()))
  localStorage.setItem('UserInfo', JSON.stringify({ RefreshToken: 'refresh-1' }))
  session.reload()
  expect(await count()).toMatchObject({ status: 401, message: '用户信息不存在' })
  expect([prompts, refreshes(), session.get()]).toEqual([['用户信息不存在'], 0, null])
})

test('the server that knows no such person is heard too', async () => {
  signIn()
  refuse('post', '/api/Account/RefreshToken', { code: 'not_logged_in', message: '用户信息不存在' })
  await count()
  expect(prompts).toEqual(['用户信息不存在'])
})

test('a call that is refused after the refresh has failed keeps its reason, and asks no second time', async () => {
  signIn()
  refuse('post', '/api/Account/RefreshToken', { message: '刷新令牌已失效' })
  let answerLate = (): void => undefined
  const wait = new Promise<void>((resolve) => {
    answerLate = resolve
  })
  server.use(
    http.get('/api/Order', async () => {
      await wait
      return HttpResponse.json(null, { status: 401 })
    }),
  )
  const late = call('get', '/api/Order', { quiet: true }).catch((error: unknown) => error)
  await count()
  answerLate()
  expect(await late).toMatchObject({ status: 401, message: '刷新令牌已失效' })
  expect(prompts).toEqual(['刷新令牌已失效'])
})

test('a refresh that answers no token signs out: 登录已过期', async () => {
  signIn()
  answer('post', '/api/Account/RefreshToken', {})
  await count()
  expect([prompts, session.get()]).toEqual([['登录已过期，请重新登录'], null])
})

test('the refresh sends the token and whose it is', async () => {
  signIn()
  refuse('post', '/api/Account/RefreshToken')
  await count()
  expect(sent.find(({ url }) => url.pathname === '/api/Account/RefreshToken')?.body).toEqual({
    RefreshToken: 'refresh-1',
    UserId: '7',
  })
})

test('the tab that waited for another one takes its token and does not refresh', async () => {
  signIn()
  const asked: string[] = []
  const request = (name: string, work: () => Promise<string>): Promise<string> => {
    asked.push(name)
    // The other tab is done while this one waits for the lock.
    localStorage.setItem('Token', JSON.stringify(token({}, 2)))
    answer('post', '/api/ShoppingCart/Count', 3)
    return work()
  }
  Object.defineProperty(navigator, 'locks', { configurable: true, value: { request } })
  onTestFinished(() => void Reflect.deleteProperty(navigator, 'locks'))
  expect(await count()).toBe(3)
  expect([asked, refreshes()]).toEqual([['token-refresh'], 0])
})
