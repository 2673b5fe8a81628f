import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { http, HttpResponse } from 'msw'
import { beforeEach, expect, test, vi } from 'vitest'
import { orderLine, orderPage, orderRow } from '@/test/fixtures'
import { renderDeskAt } from '@/test/renderDesk'
import { answer, refuse, sent, server } from '@/test/server'
import { signIn } from '@/test/session'
import { toasts } from '@/ui/toast'
import { Component } from '.'

const show = (query = ''): ReturnType<typeof renderDeskAt> =>
  renderDeskAt(`/userCenter/order/index${query}`, Component)
const asked = (): string | undefined =>
  sent.findLast(({ url }) => url.pathname === '/api/Order')?.url.search

beforeEach(() => {
  signIn()
  answer('get', '/api/Order', orderPage())
  answer('post', '/api/ShoppingCart/YouLike/{Scene}/{Count}', [])
})

test('an order shows its number, goods, amount and state', async () => {
  show()
  const card = await screen.findByRole('article', { name: '订单 SO1' })
  expect(within(card).getByRole('link', { name: 'SO1' })).toHaveAttribute(
    'href',
    '/userCenter/order/detail?OrderNo=SO1',
  )
  expect(card).toHaveTextContent('签字笔')
  expect(card).toHaveTextContent('¥20.00')
  expect(card).toHaveTextContent('待确认')
})

test('the tabs are counted, and one with nothing in it is left out', async () => {
  show()
  await screen.findByRole('article')
  expect(screen.getAllByRole('tab').map(({ textContent }) => textContent)).toEqual([
    '全部1',
    '待审批4',
  ])
})

test('orders to be paid have their own tab and mark', async () => {
  answer(
    'get',
    '/api/Order',
    orderPage([orderRow({ AwaitsPayment: true })], {
      Tabs: [
        { Code: '', Name: '全部', Count: 1 },
        { Code: 'unpaid', Name: '待支付', Count: 1 },
      ],
    }),
  )
  show()
  expect(within(await screen.findByRole('article')).getByText('待支付')).toBeVisible()
  expect(screen.getAllByRole('tab').map(({ textContent }) => textContent)).toEqual([
    '全部1',
    '待支付1',
  ])
})

test('a tab is kept in the address and asked of the server', async () => {
  const page = show()
  await userEvent.click(await screen.findByRole('tab', { name: /待审批/ }))
  await waitFor(() => expect(asked()).toContain('Status=pending_approval'))
  expect(page.location()).toContain('Status=pending_approval')
})

test('the filters come from the address', async () => {
  show('?Keyword=%E7%AD%BE%E5%AD%97%E7%AC%94&PageIndex=2&PageSize=50')
  await screen.findByRole('article')
  expect(new URLSearchParams(asked()).get('Keyword')).toBe('签字笔')
  expect(asked()).toContain('PageIndex=2')
  expect(screen.getByLabelText('关键词')).toHaveValue('签字笔')
})

test('a long order shows three of its goods and the way to the others', async () => {
  answer(
    'get',
    '/api/Order',
    orderPage([
      orderRow({
        Lines: Array.from({ length: 5 }, (_, index) => orderLine({ Id: String(index) })),
      }),
    ]),
  )
  show()
  expect(await screen.findByRole('link', { name: '另有 2 种商品，查看全部' })).toBeVisible()
})

test('nothing found says what to do', async () => {
  answer('get', '/api/Order', orderPage([]))
  show('?Status=rejected')
  expect(await screen.findByText('没有符合条件的订单')).toBeVisible()
})

test('a list that cannot be loaded offers another try', async () => {
  refuse('get', '/api/Order', { status: 500 })
  show()
  expect(await screen.findByText('服务器故障')).toBeVisible()
  expect(screen.getByRole('button', { name: '重新加载' })).toBeEnabled()
})

test('what is ticked and on its way is received at once, and a refusal is told', async () => {
  answer(
    'get',
    '/api/Order',
    orderPage([
      orderRow({ AllowedActions: ['receive'] }),
      orderRow({ OrderNo: 'SO2', AllowedActions: ['reorder'] }),
    ]),
  )
  answer('post', '/api/Order/BatchReceive', {
    Results: [{ OrderNo: 'SO1', Success: true, RetCode: 'ok', RetMessage: '' }],
    Done: 1,
    Refused: 0,
  })
  show()
  await userEvent.click(await screen.findByRole('checkbox', { name: '全选本页' }))
  await userEvent.click(screen.getByRole('button', { name: '批量收货（1）' }))
  await userEvent.click(
    within(screen.getByRole('dialog')).getByRole('button', { name: '确认收货' }),
  )
  await waitFor(() =>
    expect(sent.find(({ url }) => url.pathname === '/api/Order/BatchReceive')?.body).toEqual({
      OrderNos: ['SO1'],
    }),
  )
})

test('nothing ticked can be printed, and what is ticked is printed in one call', async () => {
  answer('post', '/api/Order/Print', {})
  show()
  expect(await screen.findByRole('button', { name: '打印送货单' })).toBeDisabled()
  await userEvent.click(screen.getByRole('checkbox', { name: '选择订单 SO1' }))
  await userEvent.click(screen.getByRole('button', { name: '打印采购单' }))
  await waitFor(() =>
    expect(sent.find(({ url }) => url.pathname === '/api/Order/Print')?.body).toEqual({
      OrderNos: ['SO1'],
      Kind: 'purchase',
    }),
  )
})

test('of what is ticked a delivery note is printed for what was sent, and the others are named', async () => {
  const sentLine = orderLine({ ShippedQuantity: 1 })
  answer(
    'get',
    '/api/Order',
    orderPage([
      orderRow(),
      orderRow({ OrderNo: 'SO2', Lines: [orderLine(), sentLine] }),
      orderRow({ OrderNo: 'SO3', Lines: [sentLine] }),
    ]),
  )
  vi.stubGlobal(
    'URL',
    Object.assign(URL, { createObjectURL: () => 'blob:x', revokeObjectURL: () => undefined }),
  )
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => undefined)
  const printed: unknown[] = []
  server.use(
    http.post(
      '/api/Order/Print',
      async ({ request }) => (
        printed.push(await request.json()),
        new HttpResponse('%PDF', { headers: { 'Content-Type': 'application/pdf' } })
      ),
    ),
  )
  show()
  await userEvent.click(await screen.findByRole('checkbox', { name: '选择订单 SO1' }))
  expect(screen.getByRole('button', { name: '打印送货单' })).toBeDisabled()
  expect(screen.getByRole('button', { name: '打印送货单' })).toHaveAttribute(
    'title',
    '尚未发货，没有送货单可打印',
  )
  await userEvent.click(screen.getByRole('checkbox', { name: '已选 1 单' }))
  await userEvent.click(screen.getByRole('button', { name: '打印送货单（2）' }))
  await waitFor(() => expect(printed).toEqual([{ OrderNos: ['SO2', 'SO3'], Kind: 'delivery' }]))
  await waitFor(() =>
    expect(toasts.get().at(-1)?.text).toBe('已打印 2 单的送货单；SO1 尚未发货，未打印'),
  )
})
