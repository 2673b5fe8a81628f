import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, test, vi } from 'vitest'
import type { LineTerms, ReturnDetail, ReturnRow, ReturnTerms } from '@/domain/returns/returns'
import { pageOf } from '@/test/fixtures'
import { renderDeskAt } from '@/test/renderDesk'
import { answer, refuse, sent } from '@/test/server'
import { signIn } from '@/test/session'
import { Component as Apply } from './apply'
import { Component as Detail } from './detail'
import { Component as List } from './index'

type RowLine = ReturnRow['Lines'][number]

const line = (given: Partial<RowLine> = {}): RowLine => ({
  Id: '1',
  OrderLineId: '31',
  ProductCode: '700001',
  Name: '签字笔',
  Brand: '采优选',
  Unit: '支',
  ImageUrl: '',
  UnitPrice: '10.00',
  Quantity: 3,
  Opened: false,
  Accepted: null,
  Finding: '',
  FindingText: '',
  FindingNote: '',
  Amount: '0.00',
  Tax: '0.00',
  ...given,
})
const row = (given: Partial<ReturnRow> = {}): ReturnRow => ({
  ReturnOrderId: 'TH1',
  OrderNo: 'SO1',
  Kind: 'return',
  KindText: '退货',
  Status: 'pending_review',
  StatusText: '待审核',
  Reason: 'quality',
  ReasonText: '质量问题',
  Way: 'pickup',
  WayText: '上门取件',
  CreatedAt: '2026-11-20T10:00:00+08:00',
  DueAt: null,
  DueByUs: true,
  WaitsRed: false,
  RefundAmount: '0.00',
  Requester: { Id: '7', Name: '张采购' },
  Department: '行政部',
  CloseReason: '',
  Unread: 0,
  Lines: [line()],
  AllowedActions: [],
  ...given,
})
const detail = (given: Partial<ReturnDetail> = {}): ReturnDetail => ({
  ...row(),
  Enterprise: '示例公司',
  Detail: '漏墨',
  VideoUrl: '',
  Contact: {
    Province: '江苏省',
    City: '苏州市',
    District: '虎丘区',
    Street: '示例路 18 号',
    Receiver: '林晓雨',
    Mobile: '19900000002',
  },
  SendTo: '',
  ApprovedAt: null,
  ReceivedAt: null,
  InspectedAt: null,
  RefundedAt: null,
  CompletedAt: null,
  Pictures: [],
  Parcels: [],
  Messages: [],
  Timeline: [],
  ...given,
})
const kind = (
  Kind: 'return' | 'exchange' | 'repair',
  given: Partial<LineTerms['Kinds'][number]> = {},
): LineTerms['Kinds'][number] => ({
  Kind,
  KindText: Kind,
  Until: '2026-11-26T10:00:00+08:00',
  QualityUntil: '2026-12-04T10:00:00+08:00',
  TakesOpened: false,
  Note: '',
  WhyNot: '',
  Reasons: ['quality', 'damaged', 'short', 'wrong', 'unsuitable'],
  ...given,
})
const lineTerms = (given: Partial<LineTerms> = {}): LineTerms => ({
  OrderLineId: '31',
  ProductCode: '700001',
  Name: '签字笔',
  Brand: '采优选',
  Unit: '支',
  ImageUrl: '',
  UnitPrice: '3.35',
  ReceivedQuantity: 5,
  ReturningQuantity: 1,
  ReturnedQuantity: 0,
  Free: 4,
  ReceivedAt: '2026-11-19T10:00:00+08:00',
  Kinds: [kind('return'), kind('exchange'), kind('repair', { Reasons: ['quality'] })],
  ...given,
})
const terms = (...Lines: LineTerms[]): ReturnTerms => ({
  OrderNo: 'SO1',
  CanApply: true,
  WhyNot: '',
  Address: { City: '苏州市', Street: '示例路 18 号', Receiver: '林晓雨', Mobile: '19900000002' },
  Lines,
})
const TABS = [
  ['', '全部', 2],
  ['pending_review', '待审核', 1],
  ['rejected', '审核驳回', 0],
  ['completed', '已完成', 1],
] as const

const APPLY = '/userCenter/order/afterSales/apply?OrderNo=SO1'
const showDetail = (given: Partial<ReturnDetail>): void => {
  answer('get', '/api/ReturnOrder/{ReturnOrderId}', detail(given))
  renderDeskAt('/userCenter/order/afterSales/TH1', Detail, '/userCenter/order/afterSales/:no')
}
const applied = (): unknown =>
  sent.find(({ method, url }) => method === 'POST' && url.pathname === '/api/ReturnOrder')?.body

const scroll = vi.fn<() => void>()

beforeEach(() => {
  signIn()
  scroll.mockReset()
  HTMLElement.prototype.scrollIntoView = scroll
  answer('get', '/api/ReturnOrder', {
    ...pageOf(row()),
    Tabs: TABS.map(([Code, Name, Count]) => ({ Code, Name, Count })),
  })
  answer('get', '/api/ReturnOrder/Terms', terms(lineTerms()))
})

test('a refunded row tells the amount, and until when it is to be confirmed', async () => {
  answer('get', '/api/ReturnOrder', {
    ...pageOf(
      row({
        Status: 'pending_confirm',
        StatusText: '待确认',
        RefundAmount: '14.04',
        DueByUs: false,
        DueAt: '2026-11-27T10:00:00+08:00',
        Unread: 4,
      }),
    ),
    Tabs: [],
  })
  renderDeskAt('/userCenter/order/afterSales', List)
  const found = await screen.findByRole('row', { name: /TH1/ })
  expect(within(found).getByRole('link', { name: 'TH1' })).toHaveAttribute(
    'href',
    '/userCenter/order/afterSales/TH1',
  )
  for (const text of [
    '退款 ¥14.04',
    '请于 2026-11-27 前确认',
    '4 条新进展',
    '3 支',
    '张采购',
    '2026-11-2010:00',
  ])
    expect(found).toHaveTextContent(text)
})

test('a state in which nothing is has no tab', async () => {
  renderDeskAt('/userCenter/order/afterSales', List)
  await screen.findByRole('row', { name: /TH1/ })
  expect(screen.getAllByRole('tab').map(({ textContent }) => textContent)).toEqual([
    '全部2',
    '待审核1',
    '已完成1',
  ])
})

test('a tab is kept in the address, and asked of the server', async () => {
  const page = renderDeskAt('/userCenter/order/afterSales', List)
  await screen.findByRole('row', { name: /TH1/ })
  await userEvent.click(screen.getByRole('tab', { name: /已完成/ }))
  await waitFor(() => expect(sent.at(-1)?.url.search).toContain('Status=completed'))
  expect(page.location()).toContain('Status=completed')
})

test('before anything is asked for, the page tells until when it may be', async () => {
  renderDeskAt(APPLY, Apply)
  const found = await screen.findByRole('list', { name: '选择商品' })
  for (const text of [
    '可申请至 2026-11-26',
    '质量问题至 2026-12-04',
    '已拆封的只受理质量问题、破损、发错',
    '可申请 4 支',
    '已收 5 · 售后中 1',
  ])
    expect(found).toHaveTextContent(text)
})

test('the sum follows the pieces to the cent, and what is sent is what was chosen', async () => {
  answer('post', '/api/ReturnOrder', detail())
  const page = renderDeskAt(APPLY, Apply)
  await userEvent.click(await screen.findByRole('checkbox', { name: '选择 采优选 签字笔' }))
  for (let more = 0; more < 5; more += 1)
    await userEvent.click(screen.getByRole('button', { name: '增加' }))
  expect(screen.getByText('¥13.40')).toBeVisible()
  await userEvent.selectOptions(screen.getByLabelText(/申请原因/), 'damaged')
  await userEvent.click(screen.getByRole('button', { name: '提交申请' }))
  await waitFor(() => expect(page.location()).toBe('/userCenter/order/afterSales/TH1'))
  expect(applied()).toEqual({
    OrderNo: 'SO1',
    Kind: 'return',
    Reason: 'damaged',
    Way: 'pickup',
    Lines: [{ OrderLineId: 31, Quantity: 4, Opened: false }],
    Detail: '',
    FileIds: [],
    VideoUrl: '',
    Pickup: '',
  })
})

test('nothing is sent without goods and a reason', async () => {
  renderDeskAt(APPLY, Apply)
  await userEvent.click(await screen.findByRole('button', { name: '提交申请' }))
  expect(screen.getByText('请至少选择一件商品')).toBeVisible()
  expect(screen.getByLabelText(/申请原因/)).toHaveAccessibleDescription('请选择原因')
  expect(applied()).toBeUndefined()
})

test('what is wrong is brought into sight', async () => {
  renderDeskAt(APPLY, Apply)
  const button = await screen.findByRole('button', { name: '提交申请' })
  expect(scroll).not.toHaveBeenCalled()
  await userEvent.click(button)
  expect(scroll.mock.contexts[0]).toHaveTextContent('请至少选择一件商品')
})

test('what never came is not sent back', async () => {
  renderDeskAt(APPLY, Apply)
  await userEvent.selectOptions(await screen.findByLabelText(/申请原因/), 'short')
  expect(screen.getByText('少件无需寄回。审核通过后直接退款。')).toBeVisible()
  expect(screen.queryByRole('radio', { name: /上门取件/ })).toBeNull()
})

test('where only a repair may be asked for, the page starts with it', async () => {
  const over = { WhyNot: '已过退货期限（截至 2026-11-03）' }
  answer(
    'get',
    '/api/ReturnOrder/Terms',
    terms(
      lineTerms({
        Kinds: [
          kind('return', over),
          kind('exchange', over),
          kind('repair', { Reasons: ['quality'] }),
        ],
      }),
    ),
  )
  renderDeskAt(APPLY, Apply)
  expect(await screen.findByRole('radio', { name: /维修/ })).toBeChecked()
  expect(screen.getByLabelText(/申请原因/)).toHaveValue('quality')
  await userEvent.click(screen.getByRole('radio', { name: /^退货/ }))
  expect(screen.getByText('已过退货期限（截至 2026-11-03）')).toBeVisible()
  expect(screen.getByRole('checkbox', { name: '选择 采优选 签字笔' })).toBeDisabled()
})

test('a refusal of the server is said beside the button', async () => {
  refuse('post', '/api/ReturnOrder', {
    code: 'quantity_exceeded',
    message: '签字笔最多还可申请 1 支',
  })
  renderDeskAt(APPLY, Apply)
  await userEvent.click(await screen.findByRole('checkbox', { name: '选择 采优选 签字笔' }))
  await userEvent.selectOptions(screen.getByLabelText(/申请原因/), 'quality')
  await userEvent.click(screen.getByRole('button', { name: '提交申请' }))
  expect(await screen.findByText('签字笔最多还可申请 1 支')).toBeVisible()
})

test('an order of which nothing can be asked for says why, line by line', async () => {
  answer('get', '/api/ReturnOrder/Terms', {
    ...terms(lineTerms({ Kinds: [kind('return', { WhyNot: '尚未签收，签收后可申请' })] })),
    CanApply: false,
  })
  renderDeskAt(APPLY, Apply)
  expect(await screen.findByText('尚未签收，签收后可申请')).toBeVisible()
  expect(screen.queryByRole('button', { name: '提交申请' })).toBeNull()
})

test('a refund is told with its tax, by line and in all', async () => {
  showDetail({
    Status: 'completed',
    StatusText: '已完成',
    RefundedAt: '2026-11-22T10:00:00+08:00',
    RefundAmount: '23.40',
    Lines: [
      line({ Accepted: 2, FindingText: '与申请相符', Amount: '20.00', Tax: '2.30' }),
      line({
        Id: '2',
        Name: '胶带',
        Quantity: 1,
        UnitPrice: '3.40',
        Accepted: 1,
        FindingText: '与申请相符',
        Amount: '3.40',
        Tax: '0.39',
      }),
    ],
  })
  const goods = await screen.findByRole('region', { name: '售后商品' })
  for (const text of [
    '3 支',
    '与申请相符',
    '¥20.00含税额 ¥2.30',
    '¥3.40含税额 ¥0.39',
    '退款合计 ¥23.40',
  ])
    expect(goods).toHaveTextContent(text)
  expect(screen.getByText('售后已完成，已退款 ¥23.40')).toBeVisible()
})

test('what is to be sent back says where to and until when, and takes the parcel', async () => {
  answer('post', '/api/ReturnOrder/{ReturnOrderId}/Ship', detail())
  showDetail({
    Status: 'pending_send',
    StatusText: '待寄回',
    Way: 'send',
    WayText: '客户寄回',
    SendTo: '苏州示例路 66 号',
    DueAt: '2026-11-28T10:00:00+08:00',
    AllowedActions: ['ship', 'withdraw', 'message'],
  })
  expect(
    await screen.findByText(
      '审核已通过，请于 2026-11-28 前将商品寄至：苏州示例路 66 号，并填写运单号；逾期将自动撤销',
    ),
  ).toBeVisible()
  await userEvent.click(screen.getByRole('button', { name: '填写寄回运单' }))
  await userEvent.type(await screen.findByLabelText('承运商'), '示例速运')
  await userEvent.type(screen.getByLabelText('运单号'), 'SF1')
  await userEvent.click(screen.getByRole('button', { name: /提\s?交/ }))
  await waitFor(() =>
    expect(sent.find(({ url }) => url.pathname.endsWith('/Ship'))?.body).toEqual({
      Carrier: '示例速运',
      TrackingNo: 'SF1',
    }),
  )
})

test.each([
  ['2099-11-23T10:00:00+08:00', '客服正在审核，最晚 2099-11-23 10:00 前完成'],
  ['2020-11-23T10:00:00+08:00', '客服正在审核；已超过承诺时间，客服会优先处理，也可以留言催办'],
])('a step of ours says until when it is done, and when it is late', async (DueAt, said) => {
  showDetail({ DueAt })
  expect(await screen.findByText(said)).toBeVisible()
})

test('a parcel on its way back tells where it is', async () => {
  const Tracking = [
    {
      At: '2026-11-21T10:00:00+08:00',
      Kind: 'in_transit',
      KindText: '运输中',
      Text: '快件已发往目的地转运中心',
    },
  ]
  showDetail({
    Status: 'pending_receipt',
    Parcels: [
      {
        Direction: 'back',
        DirectionText: '客户寄回',
        Carrier: '示例速运',
        TrackingNo: 'SF1',
        SentAt: '2026-11-20T10:00:00+08:00',
        Tracking,
      },
    ],
  })
  expect(await screen.findByRole('region', { name: '寄送包裹' })).toHaveTextContent(
    '寄回商城示例速运SF1运输中2026-11-20 10:00 寄出运输中快件已发往目的地转运中心2026-11-21 10:00',
  )
})

test('where nothing may be done, nothing is offered', async () => {
  showDetail({ Status: 'rejected', StatusText: '审核驳回', CloseReason: '已拆封使用' })
  expect(await screen.findByText('未通过审核：已拆封使用')).toBeVisible()
  for (const name of ['撤销申请', '确认完成', '填写寄回运单', '发送'])
    expect(screen.queryByRole('button', { name })).toBeNull()
  expect(
    within(screen.getByRole('list', { name: '售后进度' }))
      .getByText('审核驳回')
      .closest('li'),
  ).toHaveAttribute('aria-current', 'step')
})

test('both sides’ words stand beside their pictures, and an answer carries its own', async () => {
  answer('post', '/api/ReturnOrder/{ReturnOrderId}/Message', detail())
  showDetail({
    AllowedActions: ['message'],
    Messages: [
      {
        Id: '1',
        Ours: true,
        By: '平台客服',
        ActingFor: null,
        Text: '请补一张面单照片',
        At: '2026-11-20T11:00:00+08:00',
        Pictures: [{ FileId: 'f1', Name: '示例.png', Size: 10, Url: '/f1.png' }],
      },
    ],
  })
  const talk = await screen.findByRole('region', { name: '与客服沟通' })
  expect(talk).toHaveTextContent('平台客服 2026-11-20 11:00请补一张面单照片')
  expect(within(talk).getByRole('link', { name: '查看大图 示例.png' })).toHaveAttribute(
    'href',
    '/f1.png',
  )
  await userEvent.type(within(talk).getByLabelText('给客服留言'), ' 已拍 ')
  await userEvent.click(within(talk).getByRole('button', { name: '发送' }))
  await waitFor(() =>
    expect(sent.find(({ url }) => url.pathname.endsWith('/Message'))?.body).toEqual({
      Text: '已拍',
      FileIds: [],
    }),
  )
})
