import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, test } from 'vitest'
import type { Workbench } from '@/domain/orders/workbench'
import { spendMonths, workbenchOf } from '@/test/fixtures'
import { renderDeskAt } from '@/test/renderDesk'
import { answer, refuse, sent } from '@/test/server'
import { signIn } from '@/test/session'
import { moveItem } from './shortcuts'
import { changeOf } from './spend'
import { Component } from '.'

const show = (): ReturnType<typeof renderDeskAt> => renderDeskAt('/userCenter/index', Component)

beforeEach(() => {
  signIn()
  answer('get', '/api/Notice', { Items: [], Total: 0, PageIndex: 1, PageSize: 10 })
})

test('each kind of work is counted and leads to its list', async () => {
  answer('get', '/api/Workbench', workbenchOf())
  show()
  expect(await screen.findByRole('link', { name: /^3\s*待我审批/ })).toHaveAttribute(
    'href',
    '/userCenter/order/approval',
  )
  expect(screen.getByRole('link', { name: /^2\s*我的待收货/ })).toHaveAttribute(
    'href',
    '/userCenter/order/index?Status=pending_receipt',
  )
})

test('what one has no right to is not there', async () => {
  answer(
    'get',
    '/api/Workbench',
    workbenchOf({
      Counts: {
        RequisitionsToOrder: null,
        PendingApproval: null,
        PartlyShipped: null,
        PendingReceipt: null,
        PendingPayment: null,
        PendingShipment: null,
        OwnInApproval: null,
        ToReview: null,
        QuotedInquiries: 1,
        LateApproval: null,
        LateApprovals: null,
        PeopleWithoutRole: null,
        RulesWithDisabled: null,
        TransfersToDecide: null,
        ReturnsToSend: null,
        ReturnsToConfirm: null,
        OrdersToInvoice: null,
      },
      States: null,
      Spend: null,
      RecentOrders: null,
      BudgetTotals: null,
    }),
  )
  show()
  const todo = await screen.findByRole('region', { name: '今日待办' })
  expect(within(todo).getAllByRole('link')).toHaveLength(1)
  for (const name of ['采购额', '订单']) expect(screen.queryByRole('region', { name })).toBeNull()
  expect(screen.queryByRole('link', { name: '预算余额' })).toBeNull()
})

test('a keeper sees what he looks after, and his own orders only where there are any', async () => {
  const Counts = {
    RequisitionsToOrder: null,
    PendingApproval: 4,
    LateApproval: 2,
    LateApprovals: 5,
    PeopleWithoutRole: 3,
    RulesWithDisabled: 1,
    OwnInApproval: 0,
    ToReview: 0,
    PendingPayment: 0,
    PendingShipment: 0,
    PartlyShipped: 3,
    PendingReceipt: 1,
    QuotedInquiries: 0,
    TransfersToDecide: 1,
    ReturnsToSend: 0,
    ReturnsToConfirm: 2,
    OrdersToInvoice: 100,
  }
  answer(
    'get',
    '/api/Workbench',
    workbenchOf({ Counts, BudgetTotals: { Count: 9, Near: 2, Full: 1 } }),
  )
  show()
  const todo = await screen.findByRole('region', { name: '今日待办' })
  expect(
    within(todo)
      .getAllByRole('link')
      .map((link) => link.textContent),
  ).toEqual([
    '4待我审批',
    '2其中已超时',
    '1待审批预算调拨',
    '5审批超时未处理',
    '1预算已用完',
    '2预算即将用完',
    '3账号未分配角色',
    '1规则含停用审批人',
    '3我的部分发货',
    '1我的待收货',
    '2售后待我确认',
    '99+订单可申请开票',
  ])
  expect(within(todo).getByRole('link', { name: /账号未分配角色/ })).toHaveAttribute(
    'href',
    '/userCenter/management/account?RoleId=0',
  )
  expect(within(todo).getByRole('link', { name: /审批超时未处理/ })).toHaveAttribute(
    'href',
    '/userCenter/management/approval?View=waiting',
  )
})

test('what waits stands before what does not, which is one line of links', async () => {
  answer('get', '/api/Workbench', workbenchOf())
  show()
  const todo = await screen.findByRole('region', { name: '今日待办' })
  const cards = within(within(todo).getByRole('list'))
    .getAllByRole('link')
    .map((link) => link.textContent)
  expect(cards).toEqual(['3待我审批', '1我的审批中', '1我的待发货', '2我的待收货', '1询价已报价'])
  expect(todo).toHaveTextContent('暂无我的待支付售后待我寄回售后待我确认订单可申请开票')
})

test("whoever sees others' orders too is led to a list of his own", async () => {
  answer('get', '/api/Workbench', workbenchOf({ Scope: 'department' }))
  show()
  expect(await screen.findByRole('link', { name: /^2\s*我的待收货/ })).toHaveAttribute(
    'href',
    `/userCenter/order/index?Status=pending_receipt&Requester=7`,
  )
})

test('what is late is part of what waits: it has a tile only where there is any', async () => {
  answer('get', '/api/Workbench', workbenchOf())
  show()
  await screen.findByRole('link', { name: /^3\s*待我审批/ })
  expect(screen.queryByRole('link', { name: /其中已超时/ })).toBeNull()
})

test('where nothing waits one line says so and leads to the lists', async () => {
  const { Counts } = workbenchOf()
  const none = Object.fromEntries(
    Object.entries(Counts).map(([key, count]) => [key, count && 0]),
  ) as typeof Counts
  answer('get', '/api/Workbench', workbenchOf({ Counts: none }))
  show()
  const todo = await screen.findByRole('region', { name: '今日待办' })
  expect(todo).toHaveTextContent('今天没有待办')
  expect(within(todo).getByRole('link', { name: '售后待我寄回' })).toHaveAttribute(
    'href',
    '/userCenter/order/afterSales?Status=pending_send',
  )
  expect(todo).not.toHaveTextContent('0')
})

test('an order is named by its goods', async () => {
  const order = {
    OrderNo: 'SO1',
    Status: 'pending_receipt',
    StatusText: '待收货',
    CreatedAt: '2026-11-20T10:00:00+08:00',
    Requester: '小采',
    Total: '30.00',
    FirstName: '签字笔',
    FirstBrand: '得力',
    LineCount: 2,
  } as const
  answer('get', '/api/Workbench', workbenchOf({ RecentOrders: [order] }))
  show()
  expect(await screen.findByRole('link', { name: '得力 签字笔 等 2 种商品' })).toHaveAttribute(
    'href',
    '/userCenter/order/detail?OrderNo=SO1',
  )
  expect(screen.getByRole('link', { name: '2待收货' })).toHaveAttribute(
    'href',
    '/userCenter/order/index?Status=pending_receipt',
  )
})

const gauge = (more: Partial<Workbench['Budgets'][number]> = {}): Workbench['Budgets'][number] => ({
  Id: '1',
  Name: '行政部预算',
  OwnerType: 'department',
  PeriodFrom: '2026-11-01',
  PeriodTo: '2026-11-30',
  Amount: '100.00',
  Reserved: '30.00',
  Consumed: '20.00',
  Available: '50.00',
  State: 'normal',
  IsUsable: true,
  ...more,
})

test('a budget shows what is available of how much, and the ones that end are counted', async () => {
  answer(
    'get',
    '/api/Workbench',
    workbenchOf({
      Budgets: [
        gauge(),
        gauge({
          Id: '2',
          Name: '市场预算',
          State: 'full',
          Available: '-5.00',
          Consumed: '75.00',
          IsUsable: false,
        }),
      ],
      BudgetTotals: { Count: 9, Near: 2, Full: 1 },
    }),
  )
  show()
  const budgets = await screen.findByRole('region', { name: '预算' })
  expect(budgets).toHaveTextContent('可用 ¥50.00额度 ¥100.00')
  expect(within(budgets).getByRole('img', { name: '已占用 50%' })).toBeInTheDocument()
  expect(budgets).toHaveTextContent('市场预算已超支')
  expect(budgets).toHaveTextContent('已使用已预占')
  expect(within(budgets).getByRole('link', { name: '1 个预算已用完' })).toHaveAttribute(
    'href',
    '/userCenter/asset/budget?State=full',
  )
  expect(within(budgets).getByRole('link', { name: '全部 9 个' })).toBeInTheDocument()
})

test('what was spent is told exactly for the month pointed at, and beside the same days of the month before', async () => {
  answer('get', '/api/Workbench', workbenchOf())
  show()
  const spend = await screen.findByRole('region', { name: '采购额' })
  expect(spend).toHaveTextContent(
    '本月至今¥1,100.0011 单较上月同期增加 175%上月 1 日至 22 日 ¥400.00近 12 个月合计¥6,600.00',
  )
  expect(spend).toHaveTextContent('2026 年 11 月（至今） ¥1,100.00 11 单')
  await userEvent.hover(within(spend).getByRole('img', { name: '2026 年 3 月，¥300.00，3 单' }))
  expect(spend).toHaveTextContent('2026 年 3 月 ¥300.00 3 单')
})

test('the months are walked by the arrow keys, and stand in a table too', async () => {
  answer('get', '/api/Workbench', workbenchOf())
  show()
  const last = await screen.findByRole('img', { name: /2026 年 11 月/ })
  last.focus()
  await userEvent.keyboard('{ArrowLeft}{ArrowLeft}')
  expect(screen.getByRole('img', { name: /2026 年 9 月/ })).toHaveFocus()
  await userEvent.keyboard('{ArrowRight}')
  expect(screen.getByRole('img', { name: /2026 年 10 月/ })).toHaveFocus()
  expect(within(screen.getByRole('table')).getAllByRole('row')).toHaveLength(13)
})

test('a change has a figure only beside a month in which something was bought', () => {
  const spend = (Before: string, now: string) => ({
    Months: [{ Month: '2026-11-01', Amount: now, Orders: 1 }],
    Before,
    BeforeTo: '2026-10-22',
  })
  expect(changeOf(spend('0.00', '5.00'))).toBeNull()
  expect(changeOf(spend('5.00', '5.00'))).toEqual({ text: '持平', tone: 'same' })
  expect(changeOf(spend('3.00', '2.00'))).toEqual({ text: '减少 33.3%', tone: 'less' })
})

test('what is often bought goes into the cart in place', async () => {
  const product = {
    ProductCode: '100',
    ImageUrl: '',
    CustomerProductName: '签字笔',
    CustomerPrice: '2.00',
    MallPrice: '3.00',
    Brand: '得力',
    Unit: '支',
    BaseUnit: '',
    Contents: null,
    BaseUnitPrice: null,
    MinQuantity: 12,
    StepQuantity: 12,
    Stock: 99,
  }
  answer('get', '/api/Workbench', workbenchOf({ FrequentlyBought: [product] }))
  answer('post', '/api/ShoppingCart/AddToCart', null)
  show()
  await userEvent.click(await screen.findByRole('button', { name: '加购 12 支：得力 签字笔' }))
  await waitFor(() =>
    expect(sent.find(({ url }) => url.pathname.endsWith('AddToCart'))?.body).toEqual({
      Items: [{ ProductCode: '100', Quantity: 12 }],
    }),
  )
})

test('shortcuts are arranged by buttons and kept', async () => {
  answer('get', '/api/Workbench', workbenchOf())
  answer('post', '/api/Workbench/Shortcuts', {
    Chosen: ['select', 'orders', 'budgets'],
    Allowed: [],
    IsArranged: true,
  })
  show()
  await userEvent.click(await screen.findByRole('button', { name: '自定义' }))
  await userEvent.click(await screen.findByRole('button', { name: '一键选品前移' }))
  await userEvent.click(screen.getByRole('button', { name: '添加预算余额' }))
  await userEvent.click(screen.getByRole('button', { name: '保存' }))
  await waitFor(() =>
    expect(sent.find(({ url }) => url.pathname.endsWith('Shortcuts'))?.body).toEqual({
      Codes: ['select', 'orders', 'budgets'],
    }),
  )
  expect(await screen.findByRole('button', { name: '自定义' })).toBeVisible()
})

test('a tile goes to its place, and never beyond the ends', () => {
  expect(moveItem(['a', 'b', 'c'], 2, 0)).toEqual(['c', 'a', 'b'])
  expect(moveItem(['a', 'b', 'c'], 0, 2)).toEqual(['b', 'c', 'a'])
  expect(moveItem(['a', 'b'], 1, 2)).toEqual(['a', 'b'])
})

test('the newest notices stand beside it, unread ones marked, and reading one says so', async () => {
  const notice = {
    Id: '7',
    Kind: 'order_shipped',
    KindText: '发货',
    Section: 'order',
    Title: '订单 SO1 已发货',
    Text: '',
    Link: '/userCenter/order/detail?OrderNo=SO1',
    NeedsAct: false,
    CreatedAt: '2026-11-20T10:00:00+08:00',
    ReadAt: null,
  }
  answer('get', '/api/Workbench', workbenchOf())
  answer('get', '/api/Notice', {
    Items: Array.from({ length: 6 }, (_, index) => ({
      ...notice,
      Id: String(index),
      Title: `消息 ${index}`,
    })),
    Total: 6,
    PageIndex: 1,
    PageSize: 10,
  })
  answer('post', '/api/Notice/Read', { Count: 0 })
  show()
  const card = await screen.findByRole('region', { name: '消息' })
  expect(await within(card).findAllByRole('listitem')).toHaveLength(5)
  await userEvent.click(within(card).getByRole('link', { name: '未读：消息 0' }))
  await waitFor(() =>
    expect(sent.find(({ url }) => url.pathname.endsWith('/Notice/Read'))?.body).toEqual({
      Ids: ['0'],
    }),
  )
})

test('somebody new is led to the goods', async () => {
  answer('get', '/api/Workbench', workbenchOf({ RecentOrders: [] }))
  show()
  expect(await screen.findByText('还没有订单')).toBeVisible()
  expect(screen.getByText('没有可用的预算')).toBeVisible()
})

test('a workbench that cannot be loaded offers another try', async () => {
  refuse('get', '/api/Workbench', { status: 503 })
  show()
  expect(await screen.findByRole('button', { name: '重新加载' })).toBeEnabled()
})

test('a year without any purchase is told in words', async () => {
  answer(
    'get',
    '/api/Workbench',
    workbenchOf({
      Spend: {
        Months: spendMonths().map((month) => ({ ...month, Amount: '0.00', Orders: 0 })),
        Before: '0.00',
        BeforeTo: '2026-10-22',
      },
    }),
  )
  show()
  expect(await screen.findByText(/近 12 个月还没有采购/)).toBeVisible()
  expect(screen.queryByRole('group', { name: /采购额/ })).toBeNull()
})
