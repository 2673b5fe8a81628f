import { screen } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'
import { orderLine, orderRow, workbenchOf } from '@/test/fixtures'
import { renderDeskAt } from '@/test/renderDesk'
import { answer, refuse } from '@/test/server'
import { signIn } from '@/test/session'
import { Component } from '.'

const show = (): ReturnType<typeof renderDeskAt> => renderDeskAt('/userCenter/index', Component)

beforeEach(() => signIn())

test('each kind of work is counted and leads to its list', async () => {
  answer('get', '/api/Workbench', workbenchOf())
  show()
  expect(await screen.findByRole('link', { name: /待我审批\s*3/ })).toHaveAttribute('href', '/userCenter/order/approval')
  expect(screen.getByRole('link', { name: /待收货\s*2/ })).toHaveAttribute('href', '/userCenter/order/index?Status=pending_receipt')
})

test('an order is named by its goods', async () => {
  answer('get', '/api/Workbench', workbenchOf({ RecentOrders: [orderRow({ Lines: [orderLine(), orderLine({ Id: '12', Name: '硒鼓' })] })] }))
  show()
  expect(await screen.findByRole('link', { name: '签字笔 等 2 种商品' })).toHaveAttribute('href', '/userCenter/order/detail?OrderNo=SO1')
})

test('a budget shows what is available of how much, and where the rest is', async () => {
  answer('get', '/api/Workbench', workbenchOf({ Budgets: [{ Id: '1', Name: '行政部预算', OwnerType: 'department', PeriodFrom: '2026-11-01', PeriodTo: '2026-11-30', Amount: '100.00', Reserved: '30.00', Consumed: '20.00', Available: '50.00' }] }))
  show()
  const budgets = await screen.findByRole('region', { name: '预算' })
  expect(budgets).toHaveTextContent('¥50.00额度¥100.00已预占¥30.00已使用¥20.00')
  expect(screen.getByRole('img', { name: '可用 50%' })).toBeVisible()
})

test('somebody new is led to the goods', async () => {
  answer('get', '/api/Workbench', workbenchOf())
  show()
  expect(await screen.findByText('还没有订单')).toBeVisible()
  expect(screen.getByText('没有可用的预算')).toBeVisible()
})

test('a workbench that cannot be loaded offers another try', async () => {
  refuse('get', '/api/Workbench', { status: 503 })
  show()
  expect(await screen.findByRole('button', { name: '重新加载' })).toBeEnabled()
})
