import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, test } from 'vitest'
import type { CancelDetail, CancelPreview, CancelRow } from '@/domain/cancels/cancels'
import { pageOf } from '@/test/fixtures'
import { renderDeskAt } from '@/test/renderDesk'
import { answer, refuse, sent } from '@/test/server'
import { signIn } from '@/test/session'
import { Component as Apply } from './apply'
import { Component as Detail } from './detail'
import { Component as List } from './index'

const pen = {
  Id: '31',
  ProductCode: '700001',
  Name: '签字笔',
  Brand: '采优选',
  Unit: '支',
  ImageUrl: '',
  UnitPrice: '10.00',
}
const row = (given: Partial<CancelRow> = {}): CancelRow => ({
  Id: '5',
  CancelNo: 'QX1',
  OrderNo: 'SO1',
  Status: 'pending',
  StatusText: '待处理',
  IsWhole: false,
  ReasonKind: 'unwanted',
  ReasonText: '不想要了',
  Reason: '',
  Goods: '30.00',
  Reduction: '30.00',
  Refund: '0.00',
  CreatedAt: '2026-11-20T10:00:00+08:00',
  DecideBy: '2026-11-21T10:00:00+08:00',
  DecidedAt: null,
  DecisionNote: '',
  Requester: { Id: '7', Name: '张采购' },
  Lines: [{ ...pen, Quantity: 3, Amount: '30.00' }],
  AllowedActions: ['withdraw'],
  ...given,
})
const detail = (given: Partial<CancelDetail> = {}): CancelDetail => ({
  ...row(),
  OrderStatusText: '待发货',
  PaymentKindText: '月结',
  FreightBefore: '0.00',
  FreightAfter: '15.00',
  TotalBefore: '100.00',
  TotalAfter: '85.00',
  Timeline: [],
  ...given,
})
const effect = (given: Partial<CancelPreview> = {}): CancelPreview => ({
  OrderNo: 'SO1',
  Status: 'pending_confirm',
  StatusText: '待确认',
  PaymentKindText: '月结',
  IsWhole: false,
  DecideBy: null,
  Lines: [{ ...pen, Quantity: 10, ShippedQuantity: 0, Cancellable: 10 }],
  Before: { Goods: '100.00', Freight: '0.00', Tax: '11.50', Total: '100.00' },
  After: { Goods: '70.00', Freight: '15.00', Tax: '8.05', Total: '85.00' },
  Reduction: '15.00',
  Refund: '0.00',
  BudgetName: '年度办公预算',
  ...given,
})
const TABS = ['全部', '待处理', '已取消', '已拒绝', '已撤销'].map((Name, at) => ({
  Code: ['', 'pending', 'done', 'refused', 'withdrawn'][at] ?? '',
  Name,
  Count: at < 2 ? 1 : 0,
}))

beforeEach(() => {
  signIn()
  answer('get', '/api/CancelOrder', { ...pageOf(row()), Tabs: TABS })
  answer('get', '/api/CancelOrder/{CancelOrderId}', detail())
  answer('post', '/api/CancelOrder/Preview', effect())
})

test('a row tells what is cancelled, by how much less is paid, and until when it is decided', async () => {
  renderDeskAt('/userCenter/order/cancelSales', List)
  const found = await screen.findByRole('row', { name: /QX1/ })
  expect(within(found).getByRole('link', { name: 'QX1' })).toHaveAttribute(
    'href',
    '/userCenter/order/cancelSales/5',
  )
  for (const text of ['签字笔', '3 支', '¥30.00', '待处理', '前处理', '张采购'])
    expect(found).toHaveTextContent(text)
})

test('the tabs are counted, and one is kept in the address', async () => {
  const page = renderDeskAt('/userCenter/order/cancelSales', List)
  await screen.findByRole('row', { name: /QX1/ })
  await userEvent.click(screen.getByRole('tab', { name: /已拒绝/ }))
  await waitFor(() => expect(sent.at(-1)?.url.search).toContain('Status=refused'))
  expect(page.location()).toContain('Status=refused')
})

test('what is chosen is asked of the server, and what it would come to is shown', async () => {
  renderDeskAt('/userCenter/order/cancelSales/apply?OrderNo=SO1', Apply)
  expect(await screen.findByText(/提交后立即取消，不能恢复/)).toBeVisible()
  await userEvent.click(screen.getByRole('button', { name: '减少' }))
  await waitFor(() =>
    expect(sent.at(-1)?.body).toEqual({ OrderNo: 'SO1', Lines: [{ Id: '31', Quantity: 9 }] }),
  )
  for (const text of ['¥85.00', '¥15.00', '¥8.05'])
    expect(
      (await screen.findAllByText(new RegExp(text.replace('.', '\\.')))).length,
    ).toBeGreaterThan(0)
  expect(screen.getByText(/运费按剩余商品重新计算/)).toBeVisible()
  expect(screen.getByText(/退回预算“年度办公预算”/)).toBeVisible()
})

test('without a reason nothing is sent; with one the cancellation opens', async () => {
  answer('post', '/api/CancelOrder', detail({ Status: 'done', StatusText: '已取消' }))
  const page = renderDeskAt('/userCenter/order/cancelSales/apply?OrderNo=SO1', Apply)
  await userEvent.click(await screen.findByRole('button', { name: '确认取消' }))
  expect(await screen.findByRole('alert')).toHaveTextContent('请选择取消原因')
  expect(sent.some(({ url }) => url.pathname === '/api/CancelOrder')).toBe(false)
  await userEvent.selectOptions(screen.getByLabelText(/取消原因/), 'duplicate')
  await userEvent.click(screen.getByRole('button', { name: '确认取消' }))
  await waitFor(() => expect(page.location()).toBe('/userCenter/order/cancelSales/5'))
})

test('a confirmed order says that staff decide, and until when', async () => {
  answer(
    'post',
    '/api/CancelOrder/Preview',
    effect({
      Status: 'pending_shipment',
      StatusText: '待发货',
      DecideBy: '2026-11-21T10:00:00+08:00',
    }),
  )
  renderDeskAt('/userCenter/order/cancelSales/apply?OrderNo=SO1', Apply)
  expect(await screen.findByText(/最晚 2026-11-21 10:00/)).toBeVisible()
  expect(screen.getByRole('button', { name: '提交取消申请' })).toBeEnabled()
})

test('an order of which nothing can be cancelled says why', async () => {
  refuse('post', '/api/CancelOrder/Preview', {
    code: 'wrong_state',
    message: '订单已完成，不能取消，如需退换请申请售后',
  })
  renderDeskAt('/userCenter/order/cancelSales/apply?OrderNo=SO1', Apply)
  expect(await screen.findByText(/如需退换请申请售后/)).toBeVisible()
})

test('what waits can be withdrawn', async () => {
  answer(
    'post',
    '/api/CancelOrder/{CancelOrderId}/Withdraw',
    detail({ Status: 'withdrawn', StatusText: '已撤销', AllowedActions: [] }),
  )
  renderDeskAt('/userCenter/order/cancelSales/5', Detail, '/userCenter/order/cancelSales/:id')
  await userEvent.click(await screen.findByRole('button', { name: '撤销申请' }))
  await userEvent.click(screen.getByRole('button', { name: '确认撤销' }))
  await waitFor(() =>
    expect(sent.some(({ url }) => url.pathname === '/api/CancelOrder/5/Withdraw')).toBe(true),
  )
})

test('a refusal shows its reason', async () => {
  answer(
    'get',
    '/api/CancelOrder/{CancelOrderId}',
    detail({
      Status: 'refused',
      StatusText: '已拒绝',
      DecisionNote: '商品已打包',
      AllowedActions: [],
    }),
  )
  renderDeskAt('/userCenter/order/cancelSales/5', Detail, '/userCenter/order/cancelSales/:id')
  expect(await screen.findByText(/客服未同意取消：商品已打包/)).toBeVisible()
  expect(screen.queryByRole('button', { name: '撤销申请' })).toBeNull()
})
