import { afterEach, beforeEach, expect, test } from 'vitest'
import { plugShell } from '@/api/shell'
import { session } from '@/lib/session'
import { getCookie, setCookie } from '@/lib/storage'
import { answer, refuse, sent } from '@/test/server'
import { signIn, token } from '@/test/session'
import { toasts } from '@/ui/toast'
import { globalQuery } from './globalQuery'

const open = async (address: string): Promise<string | null> => {
  const request = new Request(`http://mall.test${address}`)
  const response = await globalQuery({ request, params: {}, context: {} } as unknown as Parameters<typeof globalQuery>[0])
  return response?.headers.get('Location') ?? null
}
const letIn = (given: Record<string, unknown> = {}): void => answer('get', '/api/Account/LoginBySession', { Token: token(), RefreshToken: 'r', ...given })

beforeEach(() => plugShell({}))
afterEach(() => setCookie('MallVersion', '', { days: -1 }))

test('an address without a word for us is left as it is', async () => {
  expect(await open('/product/index?Keyword=笔')).toBeNull()
})

test('logout ends the session and leaves the address without it', async () => {
  signIn()
  answer('post', '/api/Account/Logout', null)
  expect(await open('/product/index?logout=1&Cid=3')).toBe('/product/index?Cid=3')
  expect(session.get()).toBeNull()
})

test('a session key signs in and leads to the redirect', async () => {
  letIn()
  expect(await open('/?sessionKey=k&redirectUrl=/shop/cart')).toBe('/shop/cart')
  expect(sent[0]?.url.searchParams.get('sessionKey')).toBe('k')
  expect(session.get()?.User.uid).toBe('7')
})

test.each(['https://evil.test/', '//evil.test', 'javascript:alert(1)', '/\\evil.test'])('a redirect to %s leads home', async (target) => {
  letIn()
  expect(await open(`/?SessionKey=k&redirect=${encodeURIComponent(target)}`)).toBe('/')
})

test('a key that is refused leads home and says so', async () => {
  refuse('get', '/api/Account/LoginBySession', { message: '已失效' })
  expect(await open('/?sessionKey=old')).toBe('/')
  expect(toasts.get().map(({ text }) => text)).toContain('自动登录失败，请手动登录')
})

test('an admin login clears what this browser kept before', async () => {
  localStorage.setItem('rememberedAccount', '"somebody"')
  letIn()
  await open('/?sessionKey=k&adminLogin=1')
  expect(localStorage.getItem('rememberedAccount')).toBeNull()
})

test('MallVersion=new takes the cookie of the old mall away', async () => {
  setCookie('MallVersion', 'old')
  expect(await open('/?MallVersion=new')).toBeNull()
  expect(getCookie('MallVersion')).toBeNull()
})
