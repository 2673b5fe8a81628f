import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, test, vi } from 'vitest'
import { renderAt } from '@/test/render'
import { answer, sent } from '@/test/server'
import { signIn } from '@/test/session'
import TabBar from './TabBar'

const tabs = (): HTMLElement => screen.getByRole('navigation', { name: '底部导航' })
const press = (name: RegExp): Promise<void> =>
  userEvent.click(within(tabs()).getByRole('button', { name }))

beforeEach(() => {
  answer('post', '/api/ShoppingCart/Count', 6)
  answer('get', '/api/Notice/UnreadCount', { Count: 19 })
})

test('an approver has 审批 in the bar, another person 订单, each with the numbers of the cart and of the notices', async () => {
  signIn()
  answer('post', '/api/Account/GetUserMenuList', ['order.list'])
  const { unmount } = renderAt('/', TabBar)
  await within(tabs()).findByRole('link', { name: '购物车6' })
  await within(tabs()).findByRole('button', { name: '我的19' })
  expect(within(tabs()).getByRole('link', { name: '订单' })).toBeVisible()
  unmount()

  signIn({ utype: 'GA' })
  renderAt('/', TabBar)
  expect(within(tabs()).getByRole('link', { name: '审批' })).toBeVisible()
})

test('我的 holds the own entries and the way out, and Esc closes it', async () => {
  signIn()
  answer('post', '/api/Account/GetUserMenuList', [])
  renderAt('/', TabBar)
  await press(/^我的/)
  const sheet = screen.getByRole('dialog', { name: '我的' })
  within(sheet).getByRole('link', { name: '快速下单' })
  within(sheet).getByRole('button', { name: '退出登录' })
  await userEvent.keyboard('{Escape}')
  expect(screen.queryByRole('dialog')).toBeNull()
})

test('a person who may only browse has no 购物车 in the bar', async () => {
  signIn({ Purchasing: 'browse' })
  answer('post', '/api/Account/GetUserMenuList', [])
  renderAt('/', TabBar)
  await within(tabs()).findByRole('button', { name: '我的19' })
  expect(
    within(tabs())
      .getAllByRole('link')
      .map(({ textContent }) => textContent),
  ).toEqual(['首页', '订单'])
  expect(sent.filter(({ url }) => url.pathname.endsWith('/ShoppingCart/Count'))).toEqual([])
})

test('我的 of a person who may only browse has no 快速下单', async () => {
  signIn({ Purchasing: 'browse' })
  answer('post', '/api/Account/GetUserMenuList', [])
  renderAt('/', TabBar)
  await press(/^我的/)
  const sheet = screen.getByRole('dialog', { name: '我的' })
  expect(within(sheet).queryByRole('link', { name: '快速下单' })).toBeNull()
  expect(within(sheet).getByRole('link', { name: '耗材查找' })).toBeVisible()
})

test.each([
  [[], []],
  [['order.list'], ['我的订单']],
  [
    ['order.list', 'order.approval'],
    ['我的订单', '订单审批'],
  ],
])('with the rights %j 我的 names %j, each once', async (codes, expected) => {
  signIn()
  answer('post', '/api/Account/GetUserMenuList', codes)
  renderAt('/', TabBar)
  await press(/^我的/)
  const sheet = screen.getByRole('dialog', { name: '我的' })
  await vi.waitFor(() =>
    expect(
      within(sheet)
        .getAllByRole('link')
        .map(({ textContent }) => textContent)
        .filter((label) => label === '我的订单' || label === '订单审批'),
    ).toEqual(expected),
  )
})

test('a visitor finds the sign-in under 我的', async () => {
  renderAt('/product/index?Keyword=笔', TabBar)
  await press(/^我的/)
  expect(screen.getByRole('link', { name: '请登录' })).toHaveAttribute(
    'href',
    expect.stringContaining('/login?'),
  )
})
