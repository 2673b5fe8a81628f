import { waitFor } from '@testing-library/react'
import { createMemoryRouter } from 'react-router-dom'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { setCallGate } from '@/api/transport'
import { call } from '@/api/call'
import { boot } from '@/lib/boot'
import { mallVersion, setCookie, getCookie, removeCookie } from '@/lib/cookies'
import { session } from '@/lib/session'
import { answer, refuse, sent } from '@/test/server'
import { signIn, token } from '@/test/session'
import { toasts } from '@/ui/toast'
import { globalQuery, oldMallFirst } from './globalQuery'
import { runUrlCommands } from './runUrlCommands'
import { requireLogin } from './guards'

const guarded = ({ request }: { request: Request }): null => {
  requireLogin(request.url)
  return null
}

/**
 * Opens an address of the mall and answers the one that is shown in the end, with how many entries
 * the history has got.
 */
async function open(address: string): Promise<string> {
  const children = [
    { path: '/userCenter/*', loader: guarded, element: null },
    { path: '*', loader: () => null, element: null },
  ]
  const router = createMemoryRouter([{ middleware: [globalQuery], children }], {
    initialEntries: [address],
  })
  await waitFor(() =>
    expect(router.state.initialized && router.state.navigation.state).toBe('idle'),
  )
  const { pathname, search, hash } = router.state.location
  router.dispose()
  return pathname + search + hash
}

const letIn = (given: Record<string, unknown> = {}): void =>
  answer('get', '/api/Account/LoginBySession', { Token: token(), RefreshToken: 'r', ...given })
const told = (): string[] => toasts.get().map(({ text }) => text)
let submitted: { action: string; fields: Record<string, string> }[] = []

beforeEach(() => {
  submitted = []
  vi.spyOn(HTMLFormElement.prototype, 'submit').mockImplementation(function submit(
    this: HTMLFormElement,
  ) {
    submitted.push({
      action: this.action,
      fields: Object.fromEntries(new FormData(this).entries()) as Record<string, string>,
    })
    // As if one had come back at once.
    window.dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))
    setTimeout(
      () => window.dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true })),
      10,
    )
  })
  boot.OldMallEnabled = true
  boot.RedirectOrigins = ['https://partner.example']
})
afterEach(() => {
  vi.restoreAllMocks()
  boot.OldMallEnabled = false
  boot.RedirectOrigins = []
  mallVersion.forget()
  setCallGate(() => null)
})

test('an address without a word for us is left as it is', async () => {
  expect(await open('/product/index?Keyword=%E7%AC%94#a')).toBe(
    '/product/index?Keyword=%E7%AC%94#a',
  )
})

test('logout ends the session, on the server too, and goes out of the address', async () => {
  signIn()
  answer('post', '/api/Account/Logout', null)
  expect(await open('/product/index?logout=1&Cid=3')).toBe('/product/index?Cid=3')
  expect(session.get()).toBeNull()
  expect(sent.map(({ body }) => body)).toEqual([{ RefreshToken: 'refresh-1' }])
})

test('logout of a visitor only goes out of the address', async () => {
  expect(await open('/?logout=1')).toBe('/')
  expect(sent).toEqual([])
})

test.each(['sessionKey', 'SessionKey'])('%s signs in before the guard is asked', async (name) => {
  letIn()
  expect(await open(`/userCenter/index?${name}=k&redirectUrl=/userCenter/order/index`)).toBe(
    '/userCenter/order/index',
  )
  expect(sent[0]?.url.searchParams.get('sessionKey')).toBe('k')
  expect(session.get()?.User.uid).toBe('7')
})

test('without a redirect the answer says where to go, else home', async () => {
  letIn({ ReturnUrl: '/shop/cart' })
  expect(await open('/help?sessionKey=k')).toBe('/shop/cart')
  letIn()
  expect(await open('/product/index?sessionKey=k')).toBe('/')
})

test.each([
  'https://evil.test/',
  '//evil.test',
  'javascript:alert(1)',
  '/\\evil.test',
  '/.//evil.test',
  '/a/..//evil.test',
])('a redirect or a ReturnUrl to %s leads home', async (target) => {
  letIn()
  expect(await open(`/?SessionKey=k&redirect=${encodeURIComponent(target)}`)).toBe('/')
  letIn({ ReturnUrl: target })
  expect(await open('/product/index?SessionKey=k')).toBe('/')
})

test('a key that is refused leads home and says so', async () => {
  refuse('get', '/api/Account/LoginBySession', { message: '已失效' })
  expect(await open('/product/index?sessionKey=old')).toBe('/')
  expect(told()).toContain('自动登录失败，请手动登录')
})

test('an answer without a token leads home and says so', async () => {
  answer('get', '/api/Account/LoginBySession', {})
  expect(await open('/product/index?sessionKey=k')).toBe('/')
  expect(session.get()).toBeNull()
})

test.each(['adminLogin=1', 'AdminLogin=true', 'adminLogin='])(
  '%s clears all that this browser kept, before it signs in',
  async (flag) => {
    localStorage.setItem('rememberedAccount', '"somebody"')
    letIn()
    await open(`/?sessionKey=k&${flag}`)
    expect(localStorage.getItem('rememberedAccount')).toBeNull()
    expect(sent[0]?.url.searchParams.get('adminLogin')).toBeTruthy()
    expect(session.get()?.User.uid).toBe('7')
  },
)

test('without the flag, or without a key, nothing is cleared', async () => {
  localStorage.setItem('rememberedAccount', '"somebody"')
  letIn()
  await open('/?sessionKey=k&adminLogin=false')
  expect(await open('/?adminLogin=1')).toBe('/')
  expect(localStorage.getItem('rememberedAccount')).toBe('"somebody"')
})

test('a Redirect goes to the old mall with the ticket, and asks for no cookie', async () => {
  letIn({ Redirect: '/orders' })
  answer('get', '/api/Account/JumpOldLink', '/old-mall/?token=t1&tag=old')
  expect(await open('/?sessionKey=k')).toBe('/')
  expect(submitted).toEqual([
    {
      action: 'http://mall.test/old-mall/',
      fields: {
        token: 't1',
        tag: 'old',
        Redirect: '/orders',
        returnUrl: expect.stringMatching(/^http:\/\/mall.test\//),
      },
    },
  ])
  expect(mallVersion.isOld()).toBe(false)
})

test.each([null, '', 7, { Url: '/old-mall/' }, 'https://evil.test/', 'javascript:alert(1)'])(
  'a Redirect with the old address %j leads home and says so',
  async (address) => {
    letIn({ Redirect: '/orders' })
    answer('get', '/api/Account/JumpOldLink', address)
    expect(await open('/product/index?sessionKey=k')).toBe('/')
    expect(told()).toContain('未获取到旧版商城地址')
    expect(submitted).toEqual([])
  },
)

test('a redirect without a key leads there, through its guard', async () => {
  expect(await open('/product/index?redirect=/shop/cart')).toBe('/shop/cart')
  expect(await open('/?redirectUrl=/userCenter/index')).toBe(
    '/login?redirect=%2FuserCenter%2Findex',
  )
  expect(await open('/product/index?Cid=3&redirectUrl=https://evil.test')).toBe(
    '/product/index?Cid=3',
  )
})

test('an address that begins with two slashes, another site to whoever follows it, leads to a path of this mall', async () => {
  expect(await runUrlCommands(new URL('http://mall.test//evil.test/a?logout=1'))).toBe(
    '/evil.test/a',
  )
})

test('the sign-in keeps where one was going, until there is nobody to sign in', async () => {
  expect(await open('/login?redirect=/shop/cart')).toBe('/login?redirect=/shop/cart')
  signIn()
  expect(await open('/login?redirect=/shop/cart')).toBe('/shop/cart')
})

test('MallVersion=new takes the cookie of the old mall away before any jump', async () => {
  mallVersion.setOld()
  expect(await open('/?MallVersion=new')).toBe('/')
  expect(getCookie('MallVersion')).toBeNull()
  expect(sent).toEqual([])
})

test('MallVersion=old sets the cookie and jumps', async () => {
  answer('get', '/api/Account/JumpOldLink', '/old-mall/?tag=old')
  expect(await open('/product/index?MallVersion=old&Cid=3')).toBe('/product/index?Cid=3')
  expect(submitted[0]?.action).toBe('http://mall.test/old-mall/')
  expect(mallVersion.isOld()).toBe(true)
})

test('while the cookie says old, a call jumps first, once, and is sent when one is back', async () => {
  setCallGate(oldMallFirst)
  mallVersion.setOld()
  answer('get', '/api/Account/JumpOldLink', '/old-mall/?token=t1')
  answer('get', '/api/Account/Profile', null)
  await Promise.all([call('get', '/api/Account/Profile'), call('get', '/api/Account/Profile')])
  expect(sent.map(({ url }) => url.pathname)).toEqual([
    '/api/Account/JumpOldLink',
    '/api/Account/Profile',
    '/api/Account/Profile',
  ])
  expect(submitted).toHaveLength(1)
})

test('where there is no old mall to go to, the cookie goes and the call is sent', async () => {
  setCallGate(oldMallFirst)
  mallVersion.setOld()
  answer('get', '/api/Account/JumpOldLink', null)
  answer('get', '/api/Account/Profile', null)
  await call('get', '/api/Account/Profile')
  expect(mallVersion.isOld()).toBe(false)
})

test('staff who act as a customer do not jump', async () => {
  signIn({ Acting: { By: '运营', Reason: '对账', Seconds: 60 } })
  mallVersion.setOld()
  expect(oldMallFirst('/api/Order')).toBeNull()
})

test('/cleanCookie clears the cookies but the session cookie and MallVersion', async () => {
  for (const name of ['a', 'sessionid']) setCookie(name, 'x')
  expect(await open('/cleanCookie')).toBe('/cleanCookie')
  expect([getCookie('a'), getCookie('sessionid')]).toEqual([null, 'x'])
  removeCookie('sessionid')
})
