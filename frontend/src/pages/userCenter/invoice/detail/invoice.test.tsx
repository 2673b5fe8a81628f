import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, test } from 'vitest'
import type { InvoiceDetail } from '@/domain/invoices/invoices'
import { invoiceDetail } from '@/test/invoices'
import { renderDeskAt } from '@/test/renderDesk'
import { answer, refuse, sent } from '@/test/server'
import { signIn } from '@/test/session'
import { Component } from '.'

const show = (query = '?Id=21'): ReturnType<typeof renderDeskAt> =>
  renderDeskAt(`/userCenter/invoice/detail${query}`, Component)
const letter = (
  given: Partial<InvoiceDetail['RedLetters'][number]> = {},
): InvoiceDetail['RedLetters'][number] => ({
  RedNo: 'RL1',
  Status: 'awaits_seller',
  StatusText: '待销方确认',
  Reason: '02',
  ReasonText: '销货退回',
  Note: '',
  Answer: '',
  IsForReturn: false,
  Amount: '23.60',
  Tax: '2.71',
  OpenedAt: '2026-11-21T10:00:00+08:00',
  OpenedBy: { Id: '7', Name: '张采购' },
  ExpiresAt: '2026-11-24T10:00:00+08:00',
  RedInvoiceId: null,
  RedInvoiceNo: null,
  Lines: [{ InvoiceLineId: '32', Name: '复印纸', Quantity: 1, Amount: '23.60', Tax: '2.71' }],
  AllowedActions: ['withdraw'],
  ...given,
})

beforeEach(() => {
  signIn()
  answer('get', '/api/Invoice/{Id}', invoiceDetail())
})

test('the amount stands in figures and in capitals', async () => {
  show()
  const face = await screen.findByRole('region', { name: '发票内容' })
  expect(face).toHaveTextContent('价税合计（大写）壹仟肆佰零玖元伍角')
  expect(face).toHaveTextContent('价税合计（小写）¥1,409.50')
  expect(within(face).getByRole('row', { name: /^合计/ })).toHaveTextContent(
    '¥1,247.35¥162.15¥1,409.50',
  )
})

test('each line leads to its order, and each order to all its invoices', async () => {
  show()
  const related = await screen.findByRole('region', { name: '关联与交付' })
  expect(within(related).getByRole('link', { name: 'SO2' })).toHaveAttribute(
    'href',
    '/userCenter/order/detail?OrderNo=SO2',
  )
  expect(within(related).getAllByRole('link', { name: '该订单的全部发票' })[0]).toHaveAttribute(
    'href',
    '/userCenter/invoice/list?OrderNo=SO1',
  )
  expect(within(related).getByText('¥118.00')).toBeVisible()
})

test('a red request over part of the lines takes what is still open, at most', async () => {
  answer('post', '/api/Invoice/{Id}/RedApply', invoiceDetail())
  show()
  await userEvent.click(await screen.findByRole('button', { name: '申请红冲' }))
  const dialog = await screen.findByRole('dialog', { name: /申请红冲/ })
  expect(dialog).toHaveTextContent('红冲金额 ¥1,385.90')
  await userEvent.click(within(dialog).getByRole('radio', { name: /02 销货退回/ }))
  await userEvent.click(within(dialog).getByRole('radio', { name: '部分商品或数量' }))
  expect(within(dialog).getByRole('button', { name: '提交红冲申请' })).toBeDisabled()
  const quantity = within(dialog).getByRole('spinbutton', { name: 'SO2 复印纸 红冲数量' })
  await userEvent.clear(quantity)
  await userEvent.type(quantity, '9{Enter}')
  await waitFor(() => expect(dialog).toHaveTextContent('红冲金额 ¥94.40'))
  await userEvent.click(within(dialog).getByRole('button', { name: '提交红冲申请' }))
  await waitFor(() =>
    expect(sent.find(({ method }) => method === 'POST')?.body).toEqual({
      Reason: '02',
      Note: '',
      Lines: [{ InvoiceLineId: '32', Quantity: 4 }],
    }),
  )
})

test('a request that waits says for whom and until when, and may be withdrawn', async () => {
  answer('get', '/api/Invoice/{Id}', invoiceDetail({ RedLetters: [letter()] }))
  answer('post', '/api/Invoice/{Id}/RedWithdraw', invoiceDetail())
  show()
  const letters = await screen.findByRole('region', { name: '红冲记录' })
  expect(letters).toHaveTextContent('等待销方在 2026-11-24 10:00 前确认，72 小时内未确认自动作废')
  await userEvent.click(within(letters).getByRole('button', { name: '撤销' }))
  await userEvent.click(
    within(await screen.findByRole('dialog', { name: '撤销红冲申请' })).getByRole('button', {
      name: '撤销',
    }),
  )
  await waitFor(() =>
    expect(sent.find(({ method }) => method === 'POST')?.body).toEqual({ RedNo: 'RL1' }),
  )
})

test('what waits for the buyer is refused with a reason only', async () => {
  answer(
    'get',
    '/api/Invoice/{Id}',
    invoiceDetail({
      RedLetters: [
        letter({ Status: 'awaits_buyer', StatusText: '待购方确认', AllowedActions: ['answer'] }),
      ],
    }),
  )
  answer('post', '/api/Invoice/{Id}/RedAnswer', invoiceDetail())
  show()
  await userEvent.click(await screen.findByRole('button', { name: '否认' }))
  const dialog = await screen.findByRole('dialog', { name: '否认红冲' })
  await userEvent.click(within(dialog).getByRole('button', { name: '否认' }))
  expect(await within(dialog).findByText('请填写否认原因')).toBeInTheDocument()
  await userEvent.type(within(dialog).getByLabelText(/否认原因/), '商品未退')
  await userEvent.click(within(dialog).getByRole('button', { name: '否认' }))
  await waitFor(() =>
    expect(sent.find(({ method }) => method === 'POST')?.body).toEqual({
      RedNo: 'RL1',
      IsAgreed: false,
      Reason: '商品未退',
    }),
  )
})

test('a red invoice names the blue one it takes back, and offers no further request', async () => {
  answer(
    'get',
    '/api/Invoice/{Id}',
    invoiceDetail({
      Id: '22',
      IsRed: true,
      Amount: '-23.60',
      OriginalId: '21',
      OriginalNo: '26322000000000000021',
      AllowedActions: [],
    }),
  )
  show('?Id=22')
  expect(await screen.findByText('红字发票，冲减蓝字发票 26322000000000000021')).toBeVisible()
  expect(screen.getByRole('link', { name: '26322000000000000021' })).toHaveAttribute(
    'href',
    '/userCenter/invoice/detail?Id=21',
  )
  expect(screen.queryByRole('button', { name: '申请红冲' })).toBeNull()
})

test('one that is not there leads back to the records, in the words of the server', async () => {
  refuse('get', '/api/Invoice/{Id}', {
    status: 404,
    code: 'not_found',
    message: '发票不存在，或您无权查看',
  })
  show()
  expect(await screen.findByText('发票不存在，或您无权查看')).toBeVisible()
  expect(screen.getByRole('link', { name: '返回开票记录' })).toHaveAttribute(
    'href',
    '/userCenter/invoice/list',
  )
})

test('without a number it asks to open one from the list', () => {
  show('')
  expect(screen.getByText('没有要查看的发票')).toBeVisible()
})
