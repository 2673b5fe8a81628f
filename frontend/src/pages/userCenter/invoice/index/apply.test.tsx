import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, test } from 'vitest'
import {
  applicationDetail,
  availableRow,
  freightRow,
  invoiceTitle,
  optionsOf,
  planOf,
} from '@/test/invoices'
import { pageOf } from '@/test/fixtures'
import { renderDeskAt } from '@/test/renderDesk'
import { answer, refuse, sent } from '@/test/server'
import { signIn } from '@/test/session'
import { Component } from '.'

const TOTALS = { Lines: 40, Freights: 2, Quantity: 260, Amount: '3215.60' }
const show = (query = ''): ReturnType<typeof renderDeskAt> =>
  renderDeskAt(`/userCenter/invoice/index${query}`, Component)
const asked = (path: string) =>
  sent.findLast(({ url }) => url.pathname === `/api/InvoiceApplication${path}`)
const bar = () => screen.getByRole('region', { name: '已选开票内容' })
const choose = async (name = '选择 SO1 采优选 签字笔'): Promise<void> =>
  userEvent.click(await screen.findByRole('checkbox', { name }))
const confirm = async (): Promise<void> => {
  show()
  await choose()
  await userEvent.click(screen.getByRole('button', { name: '下一步：填写开票信息' }))
}

beforeEach(() => {
  signIn()
  answer('get', '/api/InvoiceApplication/Available', {
    ...pageOf(availableRow(), freightRow()),
    Total: 42,
    Totals: TOTALS,
  })
  answer('get', '/api/InvoiceApplication/Options', optionsOf())
  answer('get', '/api/InvoiceTitle', pageOf(invoiceTitle()))
  answer('post', '/api/InvoiceApplication/Preview', planOf())
})

test('a row tells where it comes from and where the rest of what was received went', async () => {
  show()
  const row = await screen.findByRole('row', { name: /签字笔/ })
  expect(within(row).getByRole('link', { name: 'SO1' })).toHaveAttribute(
    'href',
    '/userCenter/order/detail?OrderNo=SO1',
  )
  for (const text of ['7 盒', '已收 10，退货 1，申请中 2', '13%', '¥14.35', '¥100.45'])
    expect(row).toHaveTextContent(text)
})

test('goods with a name of the customer show the name of the mall too', async () => {
  answer('get', '/api/InvoiceApplication/Available', {
    ...pageOf(availableRow({ Name: '写字用笔', MallName: '签字笔' }), freightRow()),
    Total: 2,
    Totals: TOTALS,
  })
  show()
  expect(await screen.findByRole('row', { name: /写字用笔/ })).toHaveTextContent(
    '商城品名：采优选 签字笔',
  )
  expect(screen.getAllByText(/^商城品名/)).toHaveLength(1)
})

test('three of seven pieces and the freight come to ¥51.05', async () => {
  show()
  await choose()
  await choose('选择 SO1 运费')
  const quantity = screen.getByRole('spinbutton', { name: 'SO1 采优选 签字笔 本次开票数量' })
  await userEvent.clear(quantity)
  await userEvent.type(quantity, '3{Enter}')
  await waitFor(() => expect(bar()).toHaveTextContent('已选 2 行 · 3 件'))
  expect(bar()).toHaveTextContent('含税合计 ¥51.05')
})

test('all that the filter leaves is chosen by the filter, with the sums of all pages', async () => {
  show('?Month=2026-11')
  await userEvent.click(await screen.findByRole('button', { name: '选择全部符合筛选的 42 行' }))
  expect(bar()).toHaveTextContent('已选全部符合筛选的 42 行 · 260 件')
  expect(bar()).toHaveTextContent('¥3,215.60')
  await userEvent.click(screen.getByRole('button', { name: '下一步：填写开票信息' }))
  await screen.findByRole('region', { name: '发票预览' })
  expect(asked('/Preview')?.body).toMatchObject({ All: true, Filter: { Month: '2026-11' } })
})

test('more rows than one application takes are not let on', async () => {
  answer('get', '/api/InvoiceApplication/Options', optionsOf({ MaxLines: 41 }))
  show()
  await userEvent.click(await screen.findByRole('button', { name: '选择全部符合筛选的 42 行' }))
  expect(await screen.findByText('一次最多申请 41 行，请缩小筛选范围')).toBeVisible()
  expect(screen.getByRole('button', { name: '下一步：填写开票信息' })).toBeDisabled()
})

test('the preview shows the invoices to the cent, with the amount in capitals', async () => {
  await confirm()
  const preview = await screen.findByRole('region', { name: '发票预览' })
  for (const text of [
    '将开具 1 张发票，共 1 行',
    '不含税 ¥38.10',
    '税额 ¥4.95',
    '¥43.05',
    '肆拾叁元零伍分',
    '税号 91320500000000000R',
  ])
    expect(preview).toHaveTextContent(text)
  expect(asked('/Preview')?.body).toEqual({
    Lines: [{ OrderLineId: '11', Quantity: 7 }],
    FreightOrderNos: [],
    Kind: 'e_normal',
    TitleId: '5',
    Grouping: 'merged',
    SplitByTaxRate: false,
    AmountLimit: null,
  })
})

test('another way of parting is previewed anew', async () => {
  await confirm()
  await screen.findByRole('region', { name: '发票预览' })
  await userEvent.click(screen.getByRole('radio', { name: '按订单分别开票' }))
  await userEvent.click(screen.getByRole('checkbox', { name: '不同税率分开' }))
  await waitFor(() =>
    expect(asked('/Preview')?.body).toMatchObject({ Grouping: 'by_order', SplitByTaxRate: true }),
  )
})

test('a special invoice to a title without papers says how to get them', async () => {
  await confirm()
  await userEvent.click(await screen.findByRole('radio', { name: '数电专票' }))
  expect(screen.getByText(/开具专票需先提交专票资质/)).toBeVisible()
  await userEvent.click(screen.getByRole('button', { name: '去提交专票资质' }))
  expect(await screen.findByRole('dialog')).toBeInTheDocument()
})

test('it is handed in with the total that was shown, and says what comes next', async () => {
  answer('post', '/api/InvoiceApplication', applicationDetail())
  await confirm()
  const send = await screen.findByRole('button', { name: '提交申请' })
  await waitFor(() => expect(send).toBeEnabled())
  await userEvent.click(send)
  expect(await screen.findByText('开票申请已提交')).toBeVisible()
  expect(asked('')?.body).toMatchObject({
    Total: '43.05',
    Email: 'buyer@example.com',
    Kind: 'e_normal',
  })
  expect(screen.getByRole('link', { name: '查看申请进度' })).toHaveAttribute(
    'href',
    '/userCenter/invoice/list?View=applications&ApplicationNo=IA1',
  )
})

test('where what may be invoiced has moved, it says so and reads the preview anew', async () => {
  refuse('post', '/api/InvoiceApplication', {
    code: 'price_moved',
    message: '可开票内容已变化，合计金额与预览不一致，请重新预览后提交',
  })
  await confirm()
  const send = await screen.findByRole('button', { name: '提交申请' })
  await waitFor(() => expect(send).toBeEnabled())
  const before = sent.filter(({ url }) => url.pathname.endsWith('/Preview')).length
  await userEvent.click(send)
  expect(await screen.findByText(/可开票内容已变化/)).toBeVisible()
  await waitFor(() =>
    expect(sent.filter(({ url }) => url.pathname.endsWith('/Preview')).length).toBe(before + 1),
  )
})

test('an empty list says when goods come here, a failed one offers another try', async () => {
  answer('get', '/api/InvoiceApplication/Available', {
    ...pageOf(),
    Totals: { Lines: 0, Freights: 0, Quantity: 0, Amount: '0.00' },
  })
  const page = show()
  expect(await screen.findByText('暂无可开票的商品')).toBeVisible()
  page.unmount()
  refuse('get', '/api/InvoiceApplication/Available', { status: 500 })
  show()
  expect(await screen.findByRole('button', { name: '重新加载' })).toBeEnabled()
})

test('who only uses titles sees them without buttons', async () => {
  answer('get', '/api/InvoiceApplication/Options', optionsOf({ CanKeepTitles: false }))
  show('?Dialog=titles')
  const drawer = await screen.findByRole('dialog')
  expect(await within(drawer).findByText('91320500000000000R')).toBeInTheDocument()
  expect(within(drawer).queryByRole('button', { name: '新增抬头' })).toBeNull()
})
