import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { boot } from '@/lib/boot'
import { getCookie, removeCookie } from '@/lib/cookies'
import { session } from '@/lib/session'
import { renderAt } from '@/test/render'
import { answer } from '@/test/server'
import { signIn, token } from '@/test/session'
import { Component as CookieTest } from './cookie'
import { Component as TokenTest } from './token'

beforeEach(() => void (boot.TestPages = true))
afterEach(() => {
  boot.TestPages = false
  removeCookie('demo')
})

test.each([
  ['/test/token', TokenTest],
  ['/test/cookie', CookieTest],
])('%s is not there where the settings do not allow it', (url, Page) => {
  boot.TestPages = false
  renderAt(url, Page)
  expect(screen.getByText('没有找到这个页面')).toBeVisible()
})

test('the token is shown as who one is, and refreshed', async () => {
  signIn()
  answer('post', '/api/Account/RefreshToken', { Token: token({}, 2), RefreshToken: 'refresh-2' })
  renderAt('/test/token', TokenTest)
  expect(screen.getByText('张采购')).toBeVisible()
  await userEvent.click(screen.getByRole('button', { name: '立即刷新令牌' }))
  expect(await screen.findByText('…efresh-2')).toBeVisible()
  await userEvent.click(screen.getByRole('button', { name: '清除本地用户信息' }))
  expect(session.get()).toBeNull()
  expect(screen.getByText('当前未登录')).toBeVisible()
})

test('a cookie is written, shown and cleared', async () => {
  renderAt('/test/cookie', CookieTest)
  await userEvent.click(screen.getByRole('button', { name: '写入' }))
  expect(getCookie('demo')).toBe('1')
  expect(screen.getByRole('row', { name: 'demo 1' })).toBeVisible()
  await userEvent.click(screen.getByRole('button', { name: /^清除/ }))
  expect(getCookie('demo')).toBeNull()
})
