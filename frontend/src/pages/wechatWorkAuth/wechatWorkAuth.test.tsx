import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { session } from '@/lib/session'
import { renderAt } from '@/test/render'
import { answer, refuse, sent } from '@/test/server'
import { token } from '@/test/session'
import { Component } from '.'

const AUTH = '/api/Account/WeChatWorkAuth'
const BIND = '/api/Account/WeChatWorkBind'
const BACK = '/wechat-work-auth?code=c1&state=s1'
const UNBOUND = { code: 'wechat_work_unbound', message: '尚未绑定', body: { Member: 'xujingyi' } }

test('code and state are used once, leave the address at once, and lead where one was going', async () => {
  answer('get', AUTH, { Token: token(), RefreshToken: 'r', ReturnUrl: '/shop/cart' })
  const page = renderAt(BACK, Component)
  expect(screen.getByText('正在通过企业微信登录')).toBeVisible()
  await screen.findByText('别的页面')
  expect(page.location()).toBe('/shop/cart')
  expect(sent.map(({ url }) => url.search)).toEqual(['?code=c1&state=s1'])
  expect(session.get()?.User.uid).toBe('7')
})

test('one is never led out of the mall', async () => {
  answer('get', AUTH, { Token: token(), RefreshToken: 'r', ReturnUrl: '//evil.test' })
  const page = renderAt(BACK, Component)
  await screen.findByText('别的页面')
  expect(page.location()).toBe('/')
})

test('a refusal is said, and the address is clean', async () => {
  refuse('get', AUTH, {
    code: 'wechat_work_refused',
    message: '贵司未开放企业微信登录，请使用账号密码登录',
  })
  const page = renderAt(BACK, Component)
  expect(await screen.findByRole('alert')).toHaveTextContent(
    '贵司未开放企业微信登录，请使用账号密码登录',
  )
  expect(screen.getByRole('link', { name: '使用账号密码登录' })).toHaveAttribute('href', '/login')
  expect(page.location()).toBe('/wechat-work-auth')
})

test.each(['?error=access_denied&state=s1', '?state=s1', '?error=access_denied'])(
  'who refuses in 企业微信 is told so, and nothing is asked (%s)',
  async (query) => {
    const page = renderAt(`/wechat-work-auth${query}`, Component)
    expect(await screen.findByRole('alert')).toHaveTextContent(
      '企业微信没有授权登录，可以重新发起，或使用账号密码登录',
    )
    expect(page.location()).toBe('/wechat-work-auth')
    expect(sent).toEqual([])
  },
)

test('a member without an account binds one by its password', async () => {
  refuse('get', AUTH, UNBOUND)
  const page = renderAt(BACK, Component)
  expect(await screen.findByText('xujingyi')).toBeVisible()
  answer('post', BIND, { Token: token(), RefreshToken: 'r', ReturnUrl: '/shop/cart' })
  await userEvent.type(screen.getByLabelText('账号'), 'finance')
  await userEvent.type(screen.getByLabelText('密码'), 'secret')
  await userEvent.click(screen.getByRole('button', { name: '绑定并登录' }))
  await screen.findByText('别的页面')
  expect(page.location()).toBe('/shop/cart')
  expect(sent.at(-1)?.body).toEqual({ State: 's1', UserName: 'finance', Password: 'secret' })
})

test('too many wrong passwords ask for the slide here too', async () => {
  refuse('get', AUTH, UNBOUND)
  renderAt(BACK, Component)
  await userEvent.type(await screen.findByLabelText('账号'), 'finance')
  await userEvent.type(screen.getByLabelText('密码'), 'wrong')
  refuse('post', BIND, { code: 'captcha_required', message: '请先完成滑动验证' })
  answer('get', '/api/Account/Captcha', {
    Id: 'c1',
    Background: 'data:,',
    Piece: 'data:,',
    Y: 20,
    Width: 340,
    Height: 180,
    PieceSize: 50,
  })
  await userEvent.click(screen.getByRole('button', { name: '绑定并登录' }))
  expect(await screen.findByRole('slider')).toBeVisible()
})

test('where the mall has no 企业微信, one is told so', () => {
  renderAt('/wechat-work-auth', Component)
  expect(screen.getByRole('alert')).toHaveTextContent('商城未开通企业微信登录，请使用账号密码登录')
  expect(sent).toEqual([])
})
