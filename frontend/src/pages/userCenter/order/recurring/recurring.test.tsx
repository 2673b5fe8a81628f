import { fireEvent, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import type { RecurringDetail, RecurringDraft, RecurringPage } from '@/domain/recurring/recurring'
import { answer, sent } from '@/test/server'
import { signIn } from '@/test/session'
import { renderAt } from '@/test/render'
import { Component as Detail } from './detail'
import { Component } from './index'
import { Component as New } from './new'

const draft: RecurringDraft = {
  Name: '茶水间补货',
  Rhythm: 'weekly',
  Number: 4,
  EndsOn: null,
  RemindDays: 1,
  AmountCeiling: null,
  ApprovalMode: 'each',
  RisePercent: null,
  AddressId: '1',
  InvoiceTitleId: '1',
  BudgetId: null,
  DeliveryWish: 'any',
  InvoiceKind: 'e_normal',
  PaymentKind: 'credit',
  CostCenter: '',
  PurchaseOrderNo: '',
  Remark: '',
  Lines: [
    {
      ProductCode: '110003',
      Name: '集采中性笔',
      Brand: '采优选',
      ImageUrl: '',
      Unit: '盒',
      Quantity: 2,
      MinQuantity: 1,
      StepQuantity: 1,
      Price: '10.00',
      Problem: null,
    },
  ],
  Addresses: [{ Code: '1', Name: '示例路 1 号' }],
  InvoiceTitles: [{ Code: '1', Name: '星澜' }],
  Budgets: [],
  PaymentKinds: [{ Code: 'credit', Name: '月结' }],
  InvoiceKinds: [{ Code: 'e_normal', Name: '数电普票' }],
}
const detail = (given: Partial<RecurringDetail>): RecurringDetail => ({
  RecurringNo: 'RO1',
  Name: '茶水间补货',
  Status: 'active',
  StatusText: '执行中',
  BlockReason: 'other',
  BlockReasonText: '',
  ScheduleText: '每周四',
  NextDue: '2026-12-03',
  EndsOn: null,
  Requester: { Id: '1', Name: '小采' },
  LineCount: 1,
  AgreedAmount: '20.00',
  AllowedActions: [],
  AmountCeiling: '500.00',
  ApprovalMode: 'once',
  ApprovalModeText: '首次审批后，上限内不再审批',
  StandingApproval: null,
  RisePercent: null,
  RemindDays: 1,
  Address: '示例路 1 号',
  InvoiceKindText: '数电普票',
  PaymentKindText: '月结',
  DeliveryWishText: '均可',
  CostCenter: '',
  PurchaseOrderNo: '',
  Remark: '',
  UpdatedAt: '2026-11-26T10:00:00+08:00',
  Lines: [],
  NextRun: null,
  UpcomingDates: [],
  Runs: [],
  Timeline: [],
  ...given,
})

test('a stopped recurring order shows its reason and leads to its page', async () => {
  const page: RecurringPage = {
    Items: [
      {
        RecurringNo: 'RO1',
        Name: '茶水间补货',
        Status: 'blocked',
        StatusText: '待处理',
        BlockReason: 'price_rose',
        BlockReasonText: '价格上涨',
        ScheduleText: '每周四',
        NextDue: '2026-11-26',
        EndsOn: null,
        Requester: { Id: '1', Name: '小采' },
        Department: '行政部',
        LineCount: 2,
        AgreedAmount: '30.00',
        AllowedActions: ['decide'],
      },
    ],
    States: [{ Code: 'blocked', Count: 1 }],
    Total: 1,
    PageIndex: 1,
    PageSize: 20,
  }
  answer('get', '/api/RecurringOrder', page)
  renderAt('/userCenter/order/recurring', Component)

  expect(await screen.findByText('价格上涨')).toBeVisible()
  expect(screen.getByRole('link', { name: '茶水间补货' })).toHaveAttribute(
    'href',
    '/userCenter/order/recurring/RO1',
  )
})

test('an approval that counts up to the ceiling needs the ceiling, and is sent with it', async () => {
  answer('get', '/api/RecurringOrder/Draft', draft)
  answer('post', '/api/RecurringOrder', detail({}))
  renderAt('/userCenter/order/recurring/new', New)
  const person = userEvent.setup()
  fireEvent.mouseDown(await screen.findByRole('combobox', { name: '审批方式' }))
  await person.click(await screen.findByTitle('首次审批后，上限内不再审批'))
  const save = screen.getByRole('button', { name: '设为定期采购' })
  await person.click(save)
  expect(await screen.findByText('请填写单次金额上限')).toBeInTheDocument()
  const posts = () => sent.filter(({ method }) => method === 'POST')
  expect(posts()).toHaveLength(0)

  fireEvent.change(screen.getByRole('spinbutton', { name: '单次金额上限（含运费）' }), {
    target: { value: '500' },
  })
  await person.click(save)
  await waitFor(() => expect(posts()).toHaveLength(1))
  expect(posts()[0]?.body).toMatchObject({ ApprovalMode: 'once', AmountCeiling: '500' })
})

test('the approval that counts names its order and its last day', async () => {
  answer(
    'get',
    '/api/RecurringOrder/RO1',
    detail({
      StandingApproval: {
        ApprovalId: '7',
        OrderNo: 'SO1',
        ApprovedAt: '2026-11-26T10:00:00+08:00',
        ValidTo: '2027-11-26',
      },
    }),
  )
  renderAt('/userCenter/order/recurring/RO1', Detail, '/userCenter/order/recurring/:id')
  expect(await screen.findByText(/沿用订单/)).toHaveTextContent(
    '审批：首次审批后，上限内不再审批 · 沿用订单 SO1 的审批，有效至 2027-11-26',
  )
})

test('a person who may not order is not sent to a new recurring order', async () => {
  signIn({ Purchasing: 'request' })
  answer('get', '/api/RecurringOrder', {
    Items: [],
    States: [],
    Total: 0,
    PageIndex: 1,
    PageSize: 20,
  })
  renderAt('/userCenter/order/recurring', Component)
  expect(await screen.findByText('您的角色不能下单，也不能新建定期采购')).toBeVisible()
  expect(screen.queryByRole('link', { name: '用购物车所选商品新建' })).toBeNull()
})
