import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import type { Requisition, RequisitionPage } from '@/domain/requisitions/requisitions'
import { pageOf } from '@/test/fixtures'
import { renderAt } from '@/test/render'
import { answer, sent } from '@/test/server'
import { signIn } from '@/test/session'
import { Component } from './index'

const row = (given: Partial<Requisition> = {}): Requisition => ({
  RequisitionNo: 'PR1',
  Status: 'open',
  StatusText: '待采购',
  Requester: { Id: '8', Name: '小张' },
  Department: '研发部',
  CostCenter: 'CC-1',
  Reason: '新人入职',
  ClosedReason: '',
  SubmittedAt: '2026-11-20T10:00:00+08:00',
  Lines: [
    {
      Id: '31',
      ProductCode: '110040',
      Name: '签字笔',
      Brand: '采优选',
      ImageUrl: '',
      Unit: '支',
      Price: '10.00',
      Quantity: 5,
      OrderedQuantity: 0,
      Left: 5,
      GatheredBy: null,
      GatheredQuantity: 0,
      Takes: [],
    },
  ],
  AllowedActions: ['gather', 'return'],
  ...given,
})

const page = (...rows: Requisition[]): RequisitionPage => ({
  ...pageOf(...rows),
  Boxes: [
    { Code: 'mine', Count: 0 },
    { Code: 'todo', Count: rows.length },
    { Code: 'all', Count: rows.length },
  ],
})

const show = (...rows: Requisition[]) => {
  answer('get', '/api/Requisition', page(...rows))
  renderAt('/userCenter/order/requisition?Box=todo', Component)
}

test('lines are picked with their quantities and go into the cart', async () => {
  answer('post', '/api/Requisition/Gather', { Added: 1, LeftOut: [] })
  show(row())
  await userEvent.click(await screen.findByRole('checkbox', { name: '选择采优选 签字笔' }))
  await userEvent.click(
    within(screen.getByRole('group', { name: '采优选 签字笔的采购数量' })).getByRole('button', {
      name: '减少',
    }),
  )
  await userEvent.click(screen.getByRole('button', { name: '加入采购' }))
  expect(await screen.findByText('已选 0 项')).toBeInTheDocument()
  expect(sent.find(({ url }) => url.pathname.endsWith('/Gather'))?.body).toEqual({
    Lines: [{ Id: '31', Quantity: 4 }],
  })
})

test('what waits in a cart cannot be picked, and says in whose', async () => {
  const [line] = row().Lines
  show(row({ Lines: [{ ...line!, GatheredBy: { Id: '9', Name: '小采' }, GatheredQuantity: 5 }] }))
  expect(await screen.findByText('小采正在采购 5 支')).toBeInTheDocument()
  expect(screen.getByRole('checkbox', { name: '选择采优选 签字笔' })).toBeDisabled()
})

test('its requester sees why it came back, and can do no more', async () => {
  show(
    row({ Status: 'returned', StatusText: '已退回', ClosedReason: '库房还有', AllowedActions: [] }),
  )
  expect(await screen.findByText('已退回原因：库房还有')).toBeInTheDocument()
  expect(screen.queryByRole('checkbox')).toBeNull()
})

test('a person with 仅浏览 reads that he cannot request, not where to request', async () => {
  signIn({ Purchasing: 'browse' })
  answer('get', '/api/Requisition', page())
  renderAt('/userCenter/order/requisition', Component)
  expect(await screen.findByText('您的角色仅可浏览商品，不能提交采购申请')).toBeVisible()
})
