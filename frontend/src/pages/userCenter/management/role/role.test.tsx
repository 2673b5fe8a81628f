import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, test } from 'vitest'
import type { RoleRow } from '@/domain/org/roles'
import { renderDeskAt } from '@/test/renderDesk'
import { answer, refuse, sent } from '@/test/server'
import { signIn } from '@/test/session'
import { getEffect } from './effect'
import { Component } from '.'

const TREE = [
  {
    Code: 'order',
    Name: '我的订单',
    Children: [
      { Code: 'order.list', Name: '订单列表' },
      { Code: 'order.approval', Name: '订单审批' },
    ],
  },
]
const role = (more: Partial<RoleRow> = {}): RoleRow => ({
  Id: '7',
  Code: 'buyer',
  Name: '采购员',
  DataScope: 'own',
  DataScopeText: '仅本人',
  Purchasing: 'order',
  PurchasingText: '下单',
  PaymentKinds: [],
  AddressScope: 'all',
  Limits: [],
  MenuCodes: ['order.list'],
  HolderCount: 12,
  DisabledHolderCount: 1,
  Grantable: true,
  UpdatedAt: '2026-11-20T10:00:00+08:00',
  ...more,
})
const lists = (...Items: RoleRow[]): void =>
  answer('get', '/api/Role', { Items, Total: Items.length, PageIndex: 1, PageSize: 20 })
const show = () => renderDeskAt('/userCenter/management/role', Component)

beforeEach(() => {
  signIn({ utype: 'GA' })
  answer('get', '/api/Role/MenuTree', TREE)
  lists(role())
})

test('a change tells what is gained, what is lost and how far it looks now', () => {
  expect(getEffect(role(), ['order.approval'], 'group', 'request', TREE)).toEqual({
    gained: ['订单审批'],
    lost: ['订单列表'],
    scope: { before: '仅本人', after: '全集团' },
    purchasing: { before: '下单', after: '仅申请' },
  })
})

test('a row tells what the role grants and how many have it', async () => {
  show()
  const row = await screen.findByRole('row', { name: /采购员/ })
  for (const text of ['buyer', '仅本人', '下单', '订单列表', '13 人'])
    expect(row).toHaveTextContent(text)
})

test('a role in use is not deleted, and says why', async () => {
  show()
  const button = await screen.findByRole('button', { name: '删除' })
  expect(button).toBeDisabled()
  await userEvent.hover(button)
  expect(await screen.findByText('还有 13 个账号使用，不能删除')).toBeInTheDocument()
})

test('what one does not have oneself one does not change', async () => {
  lists(role({ Grantable: false }))
  show()
  expect(await screen.findByRole('button', { name: '编辑' })).toBeDisabled()
})

test('the effect is told before the role is saved whole', async () => {
  answer('patch', '/api/Role/7', role())
  show()
  await userEvent.click(await screen.findByRole('button', { name: '编辑' }))
  const dialog = await screen.findByRole('dialog')
  await userEvent.click(await within(dialog).findByRole('checkbox', { name: '订单审批' }))
  expect(within(dialog).getByRole('region', { name: '保存后的影响' })).toHaveTextContent(
    '12 个启用账号使用此角色，保存后下一次操作即生效新增入口：订单审批',
  )
  await userEvent.click(within(dialog).getByRole('radio', { name: /^仅申请/ }))
  expect(within(dialog).getByRole('region', { name: '保存后的影响' })).toHaveTextContent(
    '采购权限：下单 → 仅申请',
  )
  await userEvent.click(within(dialog).getByRole('button', { name: '保存' }))
  expect(sent.find(({ method }) => method === 'PATCH')?.body).toEqual({
    Name: '采购员',
    Code: 'buyer',
    DataScope: 'own',
    Purchasing: 'request',
    PaymentKinds: [],
    AddressScope: 'all',
    Limits: [],
    MenuCodes: ['order.list', 'order.approval'],
    UpdatedAt: '2026-11-20T10:00:00+08:00',
  })
})

test('the second of two administrators is told', async () => {
  refuse('patch', '/api/Role/7', { code: 'stale', message: '已被修改' })
  show()
  await userEvent.click(await screen.findByRole('button', { name: '编辑' }))
  const dialog = await screen.findByRole('dialog')
  await within(dialog).findByRole('checkbox', { name: /订单审批/ })
  await userEvent.click(within(dialog).getByRole('button', { name: '保存' }))
  expect(await within(dialog).findByRole('alert')).toHaveTextContent('其他管理员刚刚修改过这个角色')
})

test('a group admin limits the amount of a month', async () => {
  answer('patch', '/api/Role/7', role())
  show()
  await userEvent.click(await screen.findByRole('button', { name: '编辑' }))
  const dialog = await screen.findByRole('dialog')
  await userEvent.click(await within(dialog).findByRole('checkbox', { name: '限制每月金额' }))
  const amount = within(dialog).getByRole('spinbutton', { name: '每月限额（元）' })
  await userEvent.clear(amount)
  await userEvent.type(amount, '5000')
  await within(dialog).findByRole('checkbox', { name: /订单审批/ })
  await userEvent.click(within(dialog).getByRole('button', { name: '保存' }))
  expect(sent.find(({ method }) => method === 'PATCH')?.body).toMatchObject({
    Limits: [{ Period: 'month', Amount: '5000', Action: 'refuse' }],
  })
})

test('others see the limits and cannot change them', async () => {
  signIn()
  lists(
    role({
      Limits: [{ Period: 'order', Amount: '500.00', Action: 'approve', CategoryName: '' }],
    }),
  )
  show()
  await userEvent.click(await screen.findByRole('button', { name: '编辑' }))
  const dialog = await screen.findByRole('dialog')
  expect(await within(dialog).findByRole('checkbox', { name: '限制每单金额' })).toBeDisabled()
  expect(within(dialog).getByRole('spinbutton', { name: '每单限额（元）' })).toBeDisabled()
})
