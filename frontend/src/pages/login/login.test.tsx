import { fireEvent, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test, vi } from 'vitest'
import { session } from '@/lib/session'
import { renderAt } from '@/test/render'
import { answer, refuse, sent } from '@/test/server'
import { signIn, token } from '@/test/session'
import { Component } from '.'

async function enter(name = 'buyer', password = 'secret'): Promise<void> {
  await userEvent.clear(screen.getByLabelText('账号'))
  if (name) await userEvent.type(screen.getByLabelText('账号'), name)
  if (password) await userEvent.type(screen.getByLabelText('密码'), password)
  await userEvent.click(screen.getByRole('button', { name: '登录' }))
}

test('signing in leads back to where one came from', async () => {
  answer('post', '/api/Account/Login', { Token: token(), RefreshToken: 'r' })
  const page = renderAt('/login?redirect=%2Fshop%2Fcart', Component)
  await enter()
  expect(await screen.findByText('别的页面')).toBeVisible()
  expect(page.location()).toBe('/shop/cart')
  expect(session.get()?.User.nname).toBe('张采购')
})

test('signing in never leads away from the mall', async () => {
  answer('post', '/api/Account/Login', { Token: token(), RefreshToken: 'r' })
  const page = renderAt('/login?redirect=%2F%2Fevil.test', Component)
  await enter()
  await screen.findByText('别的页面')
  expect(page.location()).toBe('/')
})

test('what is missing is said without a call', async () => {
  renderAt('/login', Component)
  await enter('', '')
  expect(screen.getByLabelText('账号')).toHaveAccessibleDescription('请输入账号')
  expect(sent).toEqual([])
})

test('a wrong password is said in the form', async () => {
  refuse('post', '/api/Account/Login', { code: 'wrong_credentials', message: '账号或密码不正确' })
  renderAt('/login', Component)
  await enter()
  expect(await screen.findByRole('alert')).toHaveTextContent('账号或密码不正确')
})

test('where no slide helps any more, the form says what does', async () => {
  const message =
    '该账号密码错误次数过多，请 8 分钟后再试；也可以通过邮箱重置密码，或在以前登录过的设备上登录'
  refuse('post', '/api/Account/Login', {
    status: 429,
    code: 'rate_limited',
    message,
    body: { RetryAfter: 480 },
    headers: { 'Retry-After': '480' },
  })
  renderAt('/login', Component)
  await enter()
  expect(await screen.findByRole('alert')).toHaveTextContent(message)
  expect(screen.queryByRole('slider')).toBeNull()
})

test('after too many failures the slide is asked for and must be solved first', async () => {
  refuse('post', '/api/Account/Login', { code: 'captcha_required', message: '请完成滑动验证' })
  answer('get', '/api/Account/Captcha', {
    Id: 'c1',
    Background: 'data:,',
    Piece: 'data:,',
    Y: 20,
    Width: 340,
    Height: 180,
    PieceSize: 50,
  })
  renderAt('/login', Component)
  await enter()
  const slider = await screen.findByRole('slider')
  await userEvent.click(screen.getByRole('button', { name: '登录' }))
  expect(screen.getByText('请先完成滑动验证')).toBeVisible()
  answer('post', '/api/Account/Login', { Token: token(), RefreshToken: 'r' })
  slider.focus()
  await userEvent.keyboard('{ArrowRight}{ArrowRight}{Enter}')
  await userEvent.click(screen.getByRole('button', { name: '登录' }))
  await screen.findByText('别的页面')
  const body = sent.at(-1)?.body as { CaptchaVerifyParam: string }
  expect(JSON.parse(body.CaptchaVerifyParam)).toMatchObject({ Id: 'c1', X: 10 })
})

test('the account is remembered when asked', async () => {
  answer('post', '/api/Account/Login', { Token: token(), RefreshToken: 'r' })
  const { unmount } = renderAt('/login', Component)
  await userEvent.click(screen.getByLabelText('记住账号'))
  await enter('buyer')
  await screen.findByText('别的页面')
  unmount()
  session.end()
  renderAt('/login', Component)
  expect(screen.getByLabelText('账号')).toHaveValue('buyer')
})

test('who is signed in already goes on at once', async () => {
  signIn()
  const page = renderAt('/login?redirect=%2Fshop%2Fcart', Component)
  await screen.findByText('别的页面')
  expect(page.location()).toBe('/shop/cart')
})

test('signing in in another tab goes on here too', async () => {
  renderAt('/login', Component)
  screen.getByLabelText('账号')
  signIn()
  expect(await screen.findByText('别的页面')).toBeVisible()
})

test('after a wrong password the password is chosen, to be typed over', async () => {
  refuse('post', '/api/Account/Login', { code: 'wrong_credentials', message: '账号或密码不正确' })
  renderAt('/login', Component)
  await enter()
  const password = screen.getByLabelText<HTMLInputElement>('密码')
  await waitFor(() => expect([password.selectionStart, password.selectionEnd]).toEqual([0, 6]))
})

test('capitals are told while the password is typed, and no longer', () => {
  renderAt('/login', Component)
  const password = screen.getByLabelText('密码')
  fireEvent.keyDown(password, { key: 'A', modifierCapsLock: true })
  expect(screen.getByText('大写锁定已打开')).toBeVisible()
  fireEvent.blur(password)
  expect(screen.queryByText('大写锁定已打开')).toBeNull()
})

test('the way to a new password takes along where one was going', () => {
  renderAt('/login?redirect=%2Fshop%2Fcart', Component)
  expect(screen.getByRole('link', { name: '忘记密码？' })).toHaveAttribute(
    'href',
    '/resetPassword?redirect=%2Fshop%2Fcart',
  )
})

test('the way by 企业微信 is offered where the mall has it only', () => {
  renderAt('/login', Component)
  expect(screen.queryByRole('button', { name: '企业微信扫码登录' })).toBeNull()
})

test('with a second factor the code is asked for after the password', async () => {
  refuse('post', '/api/Account/Login', {
    code: 'second_factor_required',
    message: '请输入验证码',
    body: { SetUp: null },
  })
  const page = renderAt('/login?redirect=%2Fshop%2Fcart', Component)
  await enter()
  const code = await screen.findByLabelText('验证码')
  refuse('post', '/api/Account/Login', { code: 'wrong_second_factor', message: '验证码不正确' })
  fireEvent.change(code, { target: { value: '000000' } })
  await userEvent.click(screen.getByRole('checkbox', { name: /30 天内免验证/ }))
  await userEvent.click(screen.getByRole('button', { name: '登录' }))
  await waitFor(() => expect(code).toHaveAccessibleDescription('验证码不正确'))
  answer('post', '/api/Account/Login', { Token: token(), RefreshToken: 'r', RecoveryCodes: [] })
  fireEvent.change(code, { target: { value: ' 482913 ' } })
  await userEvent.click(screen.getByRole('button', { name: '登录' }))
  expect(await screen.findByText('别的页面')).toBeVisible()
  expect(page.location()).toBe('/shop/cart')
  expect(sent.at(-1)?.body).toEqual({
    UserName: 'buyer',
    Password: 'secret',
    SecondFactorCode: '482913',
    RememberDevice: true,
  })
})

test('where the group requires it, the sign-in sets it up and shows the recovery codes', async () => {
  refuse('post', '/api/Account/Login', {
    code: 'second_factor_required',
    message: '请先设置验证器',
    body: { SetUp: { Secret: 'ABCDEFGH', Qr: 'data:,' } },
  })
  renderAt('/login', Component)
  await enter()
  expect(await screen.findByText('ABCD EFGH')).toBeVisible()
  expect(screen.getByRole('img', { name: '验证器二维码' })).toBeVisible()
  answer('post', '/api/Account/Login', {
    Token: token(),
    RefreshToken: 'r',
    RecoveryCodes: ['7fkq2-mzp8d'],
  })
  fireEvent.change(screen.getByLabelText('验证码'), { target: { value: '482913' } })
  await userEvent.click(screen.getByRole('button', { name: '登录' }))
  expect(await screen.findByText('7fkq2-mzp8d')).toBeVisible()
  expect(session.get()).toBeNull()
  await userEvent.click(screen.getByRole('button', { name: '已保存，进入商城' }))
  expect(await screen.findByText('别的页面')).toBeVisible()
})

test('a passkey stands for the code, and each try has its own challenge', async () => {
  const asked = (challenge: string) =>
    refuse('post', '/api/Account/Login', {
      code: 'second_factor_required',
      message: '请使用通行密钥',
      body: { SetUp: null, Passkey: { challenge, allowCredentials: [] } },
    })
  const bytes = (text: string) => new TextEncoder().encode(text).buffer
  const challenges: string[] = []
  vi.stubGlobal('PublicKeyCredential', vi.fn())
  Object.defineProperty(navigator, 'credentials', {
    configurable: true,
    value: {
      get: async ({ publicKey }: CredentialRequestOptions) => {
        challenges.push(new TextDecoder().decode(publicKey?.challenge))
        const response = { clientDataJSON: bytes('c'), authenticatorData: bytes('a') }
        return { rawId: bytes('id'), response: { ...response, signature: bytes('s') } }
      },
    },
  })
  asked(btoa('one'))
  renderAt('/login', Component)
  await enter()
  const use = await screen.findByRole('button', { name: '使用通行密钥' })
  refuse('post', '/api/Account/Login', { code: 'wrong_second_factor', message: '验证未通过' })
  await userEvent.click(use)
  await screen.findByText('验证未通过')
  asked(btoa('two'))
  await userEvent.click(use)
  await waitFor(() => expect(challenges).toEqual(['one', 'two']))
  await waitFor(() =>
    expect(sent.at(-1)?.body).toEqual({
      UserName: 'buyer',
      Password: 'secret',
      RememberDevice: false,
      Passkey: { CredentialId: 'aWQ', ClientData: 'Yw', AuthenticatorData: 'YQ', Signature: 'cw' },
    }),
  )
  vi.unstubAllGlobals()
  Reflect.deleteProperty(navigator, 'credentials')
})
