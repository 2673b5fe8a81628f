import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, test } from 'vitest'
import { pageOf } from '@/test/fixtures'
import { applicationDetail, invoiceDetail } from '@/test/invoices'
import { renderDeskAt } from '@/test/renderDesk'
import { answer, refuse, sent } from '@/test/server'
import { signIn } from '@/test/session'
import { Component } from '.'

const TABS = [
  { Code: '', Name: '全部', Count: 2 },
  { Code: 'planned', Name: '待开票', Count: 0 },
  { Code: 'failed', Name: '开票失败', Count: 0 },
  { Code: 'issued', Name: '已开具', Count: 2 },
]
const show = (query = ''): ReturnType<typeof renderDeskAt> =>
  renderDeskAt(`/userCenter/invoice/list${query}`, Component)
const red = invoiceDetail({
  Id: '22',
  InvoiceNo: '26322000000000000022',
  IsRed: true,
  Amount: '-23.60',
  OriginalId: '21',
  OriginalNo: '26322000000000000021',
})

beforeEach(() => {
  signIn()
  answer('get', '/api/ExportJob', pageOf())
  answer('get', '/api/Invoice', { ...pageOf(invoiceDetail(), red), Tabs: TABS, Amount: '1385.90' })
  answer('get', '/api/InvoiceApplication', {
    ...pageOf(
      applicationDetail({
        Status: 'rejected',
        StatusText: '已驳回',
        Reason: '抬头与税号不符',
        AllowedActions: [],
      }),
    ),
    Tabs: [{ Code: '', Name: '全部', Count: 1 }],
  })
  answer('get', '/api/InvoiceApplication/{ApplicationNo}', applicationDetail())
})

test('invoices show number, amount and files; red ones are marked and take away from the sum', async () => {
  show()
  const row = (await screen.findByText('26322000000000000022')).closest('tr')
  expect(row).toHaveTextContent('红字')
  expect(row).toHaveTextContent('-¥23.60')
  expect(screen.getByText(/共 2 张，价税合计/)).toHaveTextContent('¥1,385.90')
  expect(screen.getByText('26322000000000000021')).toHaveAttribute(
    'href',
    '/userCenter/invoice/detail?Id=21',
  )
})

test('a file is fetched in the format its button names', async () => {
  answer('get', '/api/Invoice/{Id}/File', null)
  show()
  await userEvent.click(
    await screen.findByRole('button', { name: '下载 XML 26322000000000000021' }),
  )
  await waitFor(() =>
    expect(sent.at(-1)?.url.pathname + (sent.at(-1)?.url.search ?? '')).toBe(
      '/api/Invoice/21/File?Format=xml',
    ),
  )
})

test('states are counted, an empty seldom one is left out, one is kept in the address', async () => {
  const page = show()
  await screen.findByText('26322000000000000021')
  expect(screen.getAllByRole('tab').map(({ textContent }) => textContent)).toEqual([
    '全部2',
    '待开票0',
    '已开具2',
  ])
  await userEvent.click(screen.getByRole('tab', { name: /已开具/ }))
  expect(page.location()).toBe('/userCenter/invoice/list?Status=issued')
})

test('a rejected application shows why, and leads to a new one', async () => {
  answer(
    'get',
    '/api/InvoiceApplication/{ApplicationNo}',
    applicationDetail({
      Status: 'rejected',
      StatusText: '已驳回',
      Reason: '抬头与税号不符',
      AllowedActions: [],
    }),
  )
  show('?View=applications')
  await userEvent.click(await screen.findByRole('button', { name: 'IA1' }))
  const drawer = await screen.findByRole('dialog')
  expect(await within(drawer).findByText(/驳回原因：抬头与税号不符/)).toBeInTheDocument()
  expect(within(drawer).getByRole('link', { name: '重新申请' })).toHaveAttribute(
    'href',
    '/userCenter/invoice/index',
  )
  expect(within(drawer).queryByRole('button', { name: '撤回申请' })).toBeNull()
})

test('one that waits may be withdrawn with a reason', async () => {
  answer(
    'post',
    '/api/InvoiceApplication/{ApplicationNo}/Withdraw',
    applicationDetail({ Status: 'withdrawn', StatusText: '已撤回', AllowedActions: [] }),
  )
  show('?View=applications&ApplicationNo=IA1')
  await userEvent.click(await screen.findByRole('button', { name: '撤回申请' }))
  await userEvent.type(screen.getByLabelText('撤回原因'), '抬头选错')
  await userEvent.click(screen.getByRole('button', { name: '撤回' }))
  await waitFor(() =>
    expect(sent.find(({ method }) => method === 'POST')?.body).toEqual({ Reason: '抬头选错' }),
  )
})

test('an empty list leads to applying, a failed one offers another try', async () => {
  answer('get', '/api/Invoice', { ...pageOf(), Tabs: TABS, Amount: '0.00' })
  const page = show()
  expect(await screen.findByText('还没有发票')).toBeVisible()
  page.unmount()
  refuse('get', '/api/Invoice', { status: 500 })
  show()
  expect(await screen.findByRole('button', { name: '重新加载' })).toBeEnabled()
})

test('selected invoices get a mark, and a problem needs its text', async () => {
  answer('post', '/api/Invoice/Mark', { Changed: 1 })
  show()
  const row = (await screen.findByText('26322000000000000022')).closest('tr')
  await userEvent.click(within(row as HTMLElement).getByRole('checkbox'))
  await userEvent.click(screen.getByRole('button', { name: '登记处理状态' }))
  const dialog = await screen.findByRole('dialog')
  await userEvent.click(within(dialog).getByRole('radio', { name: '有问题' }))
  expect(within(dialog).getByRole('button', { name: '登记' })).toBeDisabled()
  await userEvent.type(within(dialog).getByRole('textbox'), '税号有误')
  await userEvent.click(within(dialog).getByRole('button', { name: '登记' }))
  await waitFor(() =>
    expect(sent.find(({ method }) => method === 'POST')?.body).toEqual({
      InvoiceIds: ['22'],
      Kind: 'problem',
      IsSet: true,
      Note: '税号有误',
    }),
  )
})
