import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { orderLine, orderRow } from '@/test/fixtures'
import { renderAt } from '@/test/render'
import { answer, sent } from '@/test/server'
import { OrderActions } from './OrderActions'
import type { OrderRow } from './orders'
import { changeArrival } from './receipt'

const show = (given: Partial<OrderRow>): ReturnType<typeof renderAt> =>
  renderAt('/orders', () => <OrderActions order={orderRow(given)} />)
const press = (name: string): Promise<void> => userEvent.click(screen.getByRole('button', { name }))

test('only what the server allows is offered', () => {
  show({ AllowedActions: ['reorder'] })
  expect(screen.getAllByRole('button').map(({ textContent }) => textContent)).toEqual(['再次购买'])
})

test('a row shows the main action, and the others under 更多', async () => {
  renderAt('/orders', () => (
    <OrderActions
      order={orderRow({ AllowedActions: ['reorder', 'review', 'apply_return', 'receive'] })}
      isFolded
    />
  ))
  expect(screen.getAllByRole('button').map(({ textContent }) => textContent)).toEqual([
    '确认收货',
    '更多',
  ])
  expect(screen.queryByRole('link')).toBeNull()
  await press('更多')
  const group = screen.getByRole('group', { name: '更多操作' })
  expect([...group.children].map(({ textContent }) => textContent)).toEqual([
    '评价',
    '再次购买',
    '申请售后',
  ])
})

test('cancelling needs a reason', async () => {
  show({ AllowedActions: ['cancel'] })
  await press('取消订单')
  await press('确认取消')
  expect(screen.getByLabelText(/取消原因/)).toHaveAccessibleDescription('请填写取消原因')
  expect(sent).toEqual([])
})

test('a cancelled order carries its reason', async () => {
  answer('post', '/api/Order/{OrderNo}/Cancel', {})
  show({ AllowedActions: ['cancel'] })
  await press('取消订单')
  await userEvent.type(screen.getByLabelText(/取消原因/), ' 买错了 ')
  await press('确认取消')
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(sent[0]).toMatchObject({ body: { Reason: '买错了' } })
})

test('withdrawing needs no reason', async () => {
  answer('post', '/api/Order/{OrderNo}/Withdraw', {})
  show({ AllowedActions: ['withdraw'] })
  await press('撤回')
  await press('确认撤回')
  await waitFor(() => expect(sent[0]?.body).toEqual({ Reason: '' }))
})

test('all that is on its way is received unless told otherwise', async () => {
  answer('post', '/api/Order/{OrderNo}/Receive', { Opened: [] })
  show({
    AllowedActions: ['receive'],
    Lines: [
      orderLine({ Quantity: 5, ShippedQuantity: 5, ReceivedQuantity: 1 }),
      orderLine({ Id: '12', Name: '硒鼓', ShippedQuantity: 0 }),
    ],
  })
  await press('确认收货')
  await press('确认收到 1 种商品')
  await waitFor(() => expect(sent[0]?.body).toEqual({ Lines: [{ Id: '11', Quantity: 4 }] }))
})

test('a part is received by its quantity', async () => {
  answer('post', '/api/Order/{OrderNo}/Receive', { Opened: [] })
  show({ AllowedActions: ['receive'], Lines: [orderLine({ Quantity: 5, ShippedQuantity: 5 })] })
  await press('确认收货')
  const quantity = screen.getByRole('textbox', { name: '采优选 签字笔的到货数量' })
  await userEvent.clear(quantity)
  await userEvent.type(quantity, '2{Enter}')
  await press('确认收到 1 种商品')
  await waitFor(() => expect(sent[0]?.body).toEqual({ Lines: [{ Id: '11', Quantity: 2 }] }))
})

test('what is missing or broken is claimed, and what that opened is shown', async () => {
  answer('post', '/api/Order/{OrderNo}/Receive', {
    Opened: [
      { ReturnOrderId: 'TH1', Text: '少件 1 件' },
      { ReturnOrderId: '', Text: '收到时破损 2 件' },
    ],
  })
  show({ AllowedActions: ['receive'], Lines: [orderLine({ Quantity: 5, ShippedQuantity: 5 })] })
  await press('确认收货')
  await press('有少件或破损')
  await userEvent.type(
    screen.getByRole('textbox', { name: '采优选 签字笔的少件数量' }),
    '{Control>}a{/Control}1{Enter}',
  )
  await userEvent.type(
    screen.getByRole('textbox', { name: '采优选 签字笔的破损数量' }),
    '{Control>}a{/Control}2{Enter}',
  )
  await userEvent.type(screen.getByLabelText('情况说明'), '外箱压坏')
  await press('确认收到 1 种商品')
  const dialog = await screen.findByRole('dialog', { name: '已确认收货' })
  expect(sent[0]?.body).toEqual({
    Lines: [{ Id: '11', Quantity: 5 }],
    Claims: [
      { Id: '11', Quantity: 1, Kind: 'short', Note: '外箱压坏', FileIds: [] },
      { Id: '11', Quantity: 2, Kind: 'damaged', Note: '外箱压坏', FileIds: [] },
    ],
  })
  expect(within(dialog).getByRole('link')).toHaveAttribute(
    'href',
    '/userCenter/order/afterSales/TH1',
  )
  expect(dialog).toHaveTextContent('收到时破损 2 件您没有查看售后单的权限')
})

test.each([
  [
    'a later word on broken pieces takes from the missing',
    { damaged: 4 },
    { short: 1, damaged: 4 },
  ],
  ['a later word on missing pieces takes from the broken', { short: 4 }, { short: 4, damaged: 1 }],
  ['fewer pieces claim no more than came', { quantity: 2 }, { short: 2, damaged: 0 }],
])('%s', (_, change, shown) => {
  expect(
    changeArrival({ quantity: 5, short: 3, damaged: 2, note: '', files: [] }, change),
  ).toMatchObject(shown)
})

test('nothing received cannot be confirmed', async () => {
  show({ AllowedActions: ['receive'], Lines: [orderLine({ ShippedQuantity: 1 })] })
  await press('确认收货')
  await press('减少')
  expect(screen.getByRole('button', { name: '确认收到 0 种商品' })).toBeDisabled()
})

test('buying again leads to the cart', async () => {
  answer('post', '/api/Order/{OrderNo}/Reorder', { Added: 3, LeftOut: [] })
  const page = show({ AllowedActions: ['reorder'] })
  await press('再次购买')
  await waitFor(() => expect(page.location()).toBe('/shop/cart'))
})

test('what could not be bought again is named with the reason', async () => {
  answer('post', '/api/Order/{OrderNo}/Reorder', {
    Added: 1,
    LeftOut: [{ ProductCode: '1', Name: '旧款硒鼓', Brand: '墨岚', Message: '商品已下架' }],
  })
  show({ AllowedActions: ['reorder'] })
  await press('再次购买')
  expect(
    within(await screen.findByRole('dialog', { name: '部分商品未能加入购物车' })).getByRole(
      'listitem',
    ),
  ).toHaveTextContent('墨岚 旧款硒鼓商品已下架')
})
