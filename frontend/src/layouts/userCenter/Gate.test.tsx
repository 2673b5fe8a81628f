import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { renderAt } from '@/test/render'
import { answer, refuse, sent } from '@/test/server'
import { signIn } from '@/test/session'
import { Gate } from './Gate'
import { getCodes } from './menu'

const Screen = () => (
  <Gate>
    <p>订单审批列表</p>
  </Gate>
)
const APPROVALS = '/userCenter/order/approval'

test('without its right the page says which it is, and who grants it', async () => {
  signIn()
  answer('post', '/api/Account/GetUserMenuList', ['order', 'order.list'])
  answer('get', '/api/Account/MenuRight', {
    Code: 'order.approval',
    Name: '订单审批',
    Group: '我的订单',
    Allowed: false,
    GrantedBy: ['集管', '李总'],
  })
  renderAt(APPROVALS, Screen)
  expect(await screen.findByRole('heading', { name: '您还没有“订单审批”的权限' })).toBeVisible()
  expect(screen.getByText('我的订单 / 订单审批')).toBeVisible()
  expect(screen.getByText('贵司集团管理员：集管、李总')).toBeVisible()
  expect(screen.queryByText('订单审批列表')).toBeNull()
  expect(sent.find(({ method }) => method === 'GET')?.url.search).toBe('?Code=order.approval')
})

test('who has the right sees the page', async () => {
  signIn()
  answer('post', '/api/Account/GetUserMenuList', ['order', 'order.approval'])
  renderAt(APPROVALS, Screen)
  expect(await screen.findByText('订单审批列表')).toBeVisible()
})

test('a group admin sees it without a call', () => {
  signIn({ utype: 'GA' })
  renderAt(APPROVALS, Screen)
  expect(screen.getByText('订单审批列表')).toBeVisible()
  expect(sent).toEqual([])
})

test('where the rights cannot be read, the server decides alone', async () => {
  signIn()
  refuse('post', '/api/Account/GetUserMenuList', { status: 500 })
  renderAt(APPROVALS, Screen)
  expect(await screen.findByText('订单审批列表')).toBeVisible()
})

test('a page below an entry wants its right, one without an entry any of its own, the workbench none', () => {
  expect(getCodes('/userCenter/order/approval/12')).toEqual(['order.approval'])
  expect(getCodes('/userCenter/order/detail')).toEqual(['order.list', 'order.approval'])
  expect(getCodes('/userCenter/index')).toEqual([])
})
