import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { orderDetail, orderLine } from '@/test/fixtures'
import { renderDeskAt } from '@/test/renderDesk'
import { answer, refuse, sent } from '@/test/server'
import { signIn } from '@/test/session'
import type { OrderDetail } from '@/domain/orders/orders'
import { Component } from '.'

const show = (query = '?OrderNo=SO1'): ReturnType<typeof renderDeskAt> =>
  renderDeskAt(`/userCenter/order/detail${query}`, Component)

test('each line shows what was shipped and received, and its amount', async () => {
  answer(
    'get',
    '/api/Order/{OrderNo}',
    orderDetail({ Lines: [orderLine({ ShippedQuantity: 2, ReceivedQuantity: 1 })] }),
  )
  show()
  expect(await screen.findByRole('row', { name: /签字笔/ })).toHaveTextContent(
    '¥10.002 盒2 / 1¥20.00',
  )
})

test('the way shows how far the order is', async () => {
  answer('get', '/api/Order/{OrderNo}', orderDetail({ Status: 'partly_shipped' }))
  show()
  const way = await screen.findByRole('list', { name: '订单进度' })
  expect(within(way).getByText('发货').closest('li')).toHaveAttribute('aria-current', 'step')
})

test.each([
  ['not_needed', ['提交订单', '客服确认', '发货', '收货完成'], '提交订单'],
  ['approved', ['提交订单', '审批通过', '客服确认', '发货', '收货完成'], '审批通过'],
])('the way of an order whose approval is %s', async (ApprovalStatus, labels, now) => {
  answer('get', '/api/Order/{OrderNo}', orderDetail({ ApprovalStatus }))
  show()
  const steps = within(await screen.findByRole('list', { name: '订单进度' })).getAllByRole(
    'listitem',
  )
  expect(steps.map(({ textContent }) => textContent?.replace(/\d/, ''))).toEqual(labels)
  expect(
    steps.filter((step) => step.getAttribute('aria-current')).map(({ textContent }) => textContent),
  ).toEqual([expect.stringContaining(now)])
})

const payment = (Status: string, StatusText: string): OrderDetail['Payments'][number] => ({
  PaymentNo: `P-${Status}`,
  Kind: 'online',
  KindText: '在线支付',
  Amount: '20.00',
  Refunded: '0.00',
  CreatedAt: '2026-11-20T10:00:00+08:00',
  Status,
  StatusText,
  PaidAt: null,
})

test('an unpaid order says what is due and until when', async () => {
  answer(
    'get',
    '/api/Order/{OrderNo}',
    orderDetail({
      AwaitsPayment: true,
      PayBy: '2026-11-21T10:05:00+08:00',
      Payments: [payment('pending', '待支付')],
    }),
  )
  show()
  const section = await screen.findByRole('region', { name: '支付' })
  expect(section).toHaveTextContent(
    '待支付 ¥20.0024 小时内未支付自动取消，请于 2026-11-21 10:05 前完成支付',
  )
  expect(within(section).getByRole('listitem')).toHaveTextContent(/^在线支付¥20.00待支付/)
  expect(screen.getByRole('heading', { level: 1 })).toHaveTextContent('待确认待支付')
})

test('after a payment that failed the page says so', async () => {
  answer(
    'get',
    '/api/Order/{OrderNo}',
    orderDetail({ AwaitsPayment: true, Payments: [payment('failed', '支付失败')] }),
  )
  show()
  expect(await screen.findByRole('alert')).toHaveTextContent('支付未成功，可重新支付')
})

test('a failure that was made good says nothing any more', async () => {
  answer(
    'get',
    '/api/Order/{OrderNo}',
    orderDetail({ Payments: [payment('failed', '支付失败'), payment('paid', '已支付')] }),
  )
  show()
  await screen.findByRole('region', { name: '支付' })
  expect(screen.queryByRole('alert')).toBeNull()
})

test('an order that has ended shows no way', async () => {
  answer('get', '/api/Order/{OrderNo}', orderDetail({ Status: 'cancelled', StatusText: '已取消' }))
  show()
  expect(await screen.findByRole('heading', { level: 1 })).toHaveTextContent('已取消')
  expect(screen.queryByRole('list', { name: '订单进度' })).toBeNull()
})

test('the approval names its steps, people and words', async () => {
  const task = {
    Approver: { Id: '8', Name: '周主任' },
    Status: 'rejected',
    StatusText: '已驳回',
    At: '2026-11-20T10:00:00+08:00',
    Comment: '请改用库存品',
  }
  answer(
    'get',
    '/api/Order/{OrderNo}',
    orderDetail({
      Approval: {
        Id: '1',
        Status: 'rejected',
        Reasons: ['超出预算'],
        Steps: [
          {
            No: 1,
            RuleName: '部门负责人审批',
            Mode: 'any',
            Status: 'rejected',
            StatusText: '已驳回',
            Note: '',
            Tasks: [task],
          },
        ],
        Amendments: [],
        Questions: [],
        AllowedActions: [],
      },
    }),
  )
  show()
  const approval = await screen.findByRole('region', { name: '审批' })
  expect(approval).toHaveTextContent('超出预算')
  expect(approval).toHaveTextContent('周主任')
  expect(approval).toHaveTextContent('请改用库存品')
})

test('the requester answers a question in the order, and sees what was taken out', async () => {
  signIn()
  answer('post', '/api/Approval/{ApprovalId}/Answer', {})
  const Questions = [
    {
      Id: '51',
      By: { Id: '8', Name: '周主任' },
      ActingFor: null,
      At: '2026-11-20T10:00:00+08:00',
      Text: '急吗？',
    },
  ]
  const Amendments = [
    {
      Id: '1',
      At: '2026-11-20T11:00:00+08:00',
      By: { Id: '8', Name: '周主任' },
      ActingFor: null,
      Reason: '库房还有',
      Before: '100.00',
      After: '40.00',
      Lines: [{ LineId: '1', Code: '700001', Name: '签字笔', Unit: '支', Before: 10, After: 4 }],
      Figures: [],
      ReasonsBefore: [],
      ReasonsAfter: [],
    },
  ]
  answer(
    'get',
    '/api/Order/{OrderNo}',
    orderDetail({
      Requester: { Id: '7', Name: '张采购' },
      Approval: {
        Id: '21',
        Status: 'pending',
        Reasons: [],
        Steps: [],
        Amendments,
        Questions,
        AllowedActions: [],
      },
    }),
  )
  show()
  const approval = await screen.findByRole('region', { name: '审批' })
  expect(approval).toHaveTextContent('原因：库房还有签字笔10 支 → 4 支')
  await userEvent.type(within(approval).getByLabelText('您的答复'), '急')
  await userEvent.click(within(approval).getByRole('button', { name: '答复' }))
  await waitFor(() =>
    expect(sent.find(({ url }) => url.pathname === '/api/Approval/21/Answer')?.body).toEqual({
      QuestionId: '51',
      Text: '急',
    }),
  )
})

test('the requester urges from the order, where the server lets him', async () => {
  answer('post', '/api/Approval/{ApprovalId}/Urge', {})
  answer(
    'get',
    '/api/Order/{OrderNo}',
    orderDetail({
      Approval: {
        Id: '21',
        Status: 'pending',
        Reasons: [],
        Steps: [],
        Amendments: [],
        Questions: [],
        AllowedActions: ['urge'],
      },
    }),
  )
  show()
  await userEvent.click(await screen.findByRole('button', { name: '催办' }))
  await waitFor(() =>
    expect(sent.some(({ url }) => url.pathname === '/api/Approval/21/Urge')).toBe(true),
  )
})

test('a parcel shows its carrier, its number and what is in it', async () => {
  refuse('get', '/api/Order/{OrderNo}/Trace')
  answer(
    'get',
    '/api/Order/{OrderNo}',
    orderDetail({
      Shipments: [
        {
          ShipmentNo: 'S1',
          Carrier: '自营配送',
          TrackingNo: 'T100',
          ShippedAt: '2026-11-20T10:00:00+08:00',
          ReceivedAt: null,
          Tracking: [
            {
              At: '2026-11-20T10:00:00+08:00',
              Kind: 'picked_up',
              KindText: '运输中',
              Text: '快件已到达转运中心',
            },
          ],
          Lines: [{ Id: '11', Name: '签字笔', Quantity: 2 }],
        } as never,
      ],
    }),
  )
  show()
  const parcels = await screen.findByRole('region', { name: '发货' })
  expect(parcels).toHaveTextContent('自营配送T100运输中')
  expect(parcels).toHaveTextContent('签字笔 × 2')
})

const parcelOf: OrderDetail['Shipments'] = [
  {
    ShipmentNo: 'FH1',
    Carrier: '自营配送',
    TrackingNo: 'T100',
    ShippedAt: '2026-11-20T10:00:00+08:00',
    ReceivedAt: null,
    AutoReceiveAt: '2026-11-27T10:00:00+08:00',
    Tracking: [],
    Lines: [],
  },
]
const step = (given: object): object => ({
  At: '2026-11-20T10:00:00+08:00',
  Quantity: 1,
  Amount: '10.00',
  Number: '',
  Target: '',
  State: '',
  Counts: true,
  ...given,
})

test('each document of a line is led to, with its quantity and amount', async () => {
  answer('get', '/api/Order/{OrderNo}', orderDetail({ Shipments: parcelOf }))
  answer('get', '/api/Order/{OrderNo}/Trace', {
    OrderNo: 'SO1',
    Lines: [
      {
        Name: '签字笔',
        Amount: '20.00',
        Line: {
          LineId: '11',
          ProductCode: '110040',
          Unit: '盒',
          Quantity: 2,
          Cancelled: 0,
          Cancelling: 0,
          Shipped: 2,
          Received: 2,
          Returning: 0,
          Returned: 1,
          Applied: 0,
          Invoiced: 1,
        },
        Steps: [
          step({ Kind: 'shipment', Quantity: 2, Amount: null, Number: 'FH1', Target: 'FH1' }),
          step({ Kind: 'receipt', Quantity: 2, Amount: '20.00' }),
          step({ Kind: 'return', Number: 'TH1', Target: 'TH1', State: '退货 · 已完成' }),
          step({ Kind: 'invoice', Number: '26312000000000000001', Target: '7', State: '已开具' }),
          step({ Kind: 'statement', Number: 'DZ1', Target: '9', State: '2026-11 待确认' }),
        ],
      },
      { Name: '运费', Amount: '8.00', Line: null, Steps: [] },
    ],
    Sum: {
      Total: '28.00',
      Delivered: '20.00',
      Returned: '10.00',
      Payable: '10.00',
      Invoiced: '10.00',
      Uninvoiced: '0.00',
      Stated: '10.00',
      Paid: '12.00',
      Owed: '-2.00',
    },
  })
  show()
  const row = await screen.findByRole('row', { name: /^签字笔 ?2 盒/ })
  const links = within(row)
    .getAllByRole('link')
    .map((link) => [link.textContent, link.getAttribute('href')])
  expect(links).toEqual([
    ['FH1', '#FH1'],
    ['TH1', '/userCenter/order/afterSales/TH1'],
    ['26312000000000000001', '/userCenter/invoice/detail?Id=7'],
    ['DZ1', '/userCenter/invoice/statement/9'],
  ])
  expect(row).toHaveTextContent(/已收 22026-11-20× 2 ¥20\.00.*已退 1TH1× 1 ¥10\.00退货 · 已完成/)
  const sums = screen.getByLabelText('金额合计')
  expect(sums).toHaveTextContent(
    '已签收¥20.00已退款¥10.00应结算¥10.00已开票¥10.00未开票¥0.00已付款¥12.00预付¥2.00',
  )
  expect(screen.queryByRole('columnheader', { name: '取消' })).toBeNull()
})

test('where the trace is not had the page stands without it', async () => {
  answer('get', '/api/Order/{OrderNo}', orderDetail({ Shipments: parcelOf }))
  refuse('get', '/api/Order/{OrderNo}/Trace', { message: '系统繁忙，请稍后重试' })
  show()
  expect(
    await within(await screen.findByRole('region', { name: '履约与结算跟踪' })).findByRole('alert'),
  ).toHaveTextContent('系统繁忙')
  expect(screen.getByRole('region', { name: '发货' })).toHaveTextContent('T100')
})

test('a parcel on its way says when it counts as received by itself', async () => {
  answer('get', '/api/Order/{OrderNo}', orderDetail({ Shipments: parcelOf }))
  show()
  expect(await screen.findByRole('region', { name: '发货' })).toHaveTextContent(
    '2026-11-27 10:00 前未确认则自动确认收货',
  )
})

test('what is cancelled, in after-sales or gone back is told beside the line', async () => {
  answer(
    'get',
    '/api/Order/{OrderNo}',
    orderDetail({
      Lines: [
        orderLine({
          CancelledQuantity: 3,
          CancellingQuantity: 1,
          ReturningQuantity: 2,
          ReturnedQuantity: 4,
        }),
      ],
    }),
  )
  show()
  expect(await screen.findByRole('row', { name: /签字笔/ })).toHaveTextContent(
    '已取消 3申请取消中 10 / 0售后中 2已退 4',
  )
})

test('an address without a number leads back to the list', () => {
  show('')
  expect(screen.getByRole('link', { name: '返回订单列表' })).toHaveAttribute(
    'href',
    '/userCenter/order/index',
  )
})

test('an order that is not there says so', async () => {
  refuse('get', '/api/Order/{OrderNo}', {
    code: 'not_found',
    message: '订单不存在，或您无权查看',
    status: 404,
  })
  show()
  expect(await screen.findByRole('alert')).toHaveTextContent('订单不存在，或您无权查看')
  expect(screen.getByRole('link', { name: '返回订单列表' })).toHaveAttribute(
    'href',
    '/userCenter/order/index',
  )
  expect(screen.queryByRole('button', { name: '重新加载' })).toBeNull()
})

test('an order with invoices leads to them', async () => {
  answer(
    'get',
    '/api/Order/{OrderNo}',
    orderDetail({ InvoiceStatus: 'invoiced', InvoiceStatusText: '已开票' }),
  )
  show()
  expect(await screen.findByText('查看发票')).toHaveAttribute(
    'href',
    '/userCenter/invoice/list?OrderNo=SO1',
  )
})
