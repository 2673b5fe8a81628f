import { cleanup, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { renderAt } from '@/test/render'
import { answer, refuse, sent } from '@/test/server'
import { signIn } from '@/test/session'
import { Component } from '.'

const root = (id: string, name: string, group: string) => ({
  C1: { CategoryId: id, Name: name, CategoryGroup: group },
  Category2List: [{ C2: { CategoryId: `${id}1`, Name: `${name}小类` }, Category3List: [] }],
})
const tree = [
  root('1', '书写修正', '办公用品'),
  root('2', '文件管理', '办公用品'),
  root('3', '打印耗材', '办公耗材'),
]
const pen = {
  ProductCode: '110003',
  ImageUrl: '',
  CustomerProductName: '红色中性笔',
  CustomerPrice: '1.41',
  MallPrice: '1.60',
  Brand: '笺禾',
  Unit: '支',
  MinQuantity: 10,
  Stock: 5,
}
const asked = (): string[] =>
  sent
    .filter(({ url }) => url.pathname === '/api/Product')
    .map(({ url }) => url.searchParams.get('Cid') ?? '')

test('a visitor sees a floor for each group of the public tree, with products', async () => {
  answer('post', '/api/Category/MallCategories', tree)
  answer('get', '/api/Product', { Items: [pen] })
  renderAt('/', Component)
  const floor = await screen.findByRole('region', { name: '办公耗材' })
  expect(await within(floor).findByRole('link', { name: '笺禾 红色中性笔' })).toHaveAttribute(
    'href',
    '/110003.html',
  )
})

test('the first floor is asked for before the others', async () => {
  answer('post', '/api/Category/MallCategories', tree)
  answer('get', '/api/Product', { Items: [pen] })
  renderAt('/', Component)
  await waitFor(() => expect(asked()).toContain('3'))
  expect(asked()[0]).toBe('1')
})

test('a tab of a floor shows the best sellers of its category', async () => {
  answer('post', '/api/Category/MallCategories', tree)
  answer('get', '/api/Product', { Items: [pen] })
  renderAt('/', Component)
  await userEvent.click(await screen.findByRole('button', { name: '文件管理' }))
  await waitFor(() => expect(asked().at(-1)).toBe('2'))
})

test('a floor that could not be loaded offers another try', async () => {
  answer('post', '/api/Category/MallCategories', tree.slice(0, 1))
  refuse('get', '/api/Product', { status: 500 })
  renderAt('/', Component)
  const failed = await screen.findByRole('alert')
  answer('get', '/api/Product', { Items: [pen] })
  await userEvent.click(within(failed).getByRole('button', { name: '重新加载' }))
  expect(await screen.findByRole('link', { name: '笺禾 红色中性笔' })).toBeVisible()
})

test('a floor without a product is not there', async () => {
  answer('post', '/api/Category/MallCategories', tree.slice(0, 1))
  answer('get', '/api/Product', { Items: [] })
  renderAt('/', Component)
  expect(await screen.findByRole('region', { name: '办公用品' })).toBeVisible()
  await waitFor(() => expect(screen.queryByRole('region', { name: '办公用品' })).toBeNull())
})

test('a customer sees first what he orders most', async () => {
  signIn()
  answer('post', '/api/Category/GetCustomerCategories', tree)
  answer('get', '/api/Product', { Items: [pen] })
  answer('get', '/api/Workbench', desk({ PurchasedCategories: ['3'] }))
  renderAt('/', Component)
  await screen.findByRole('region', { name: '办公耗材' })
  expect(
    screen.getAllByRole('region').flatMap((region) => region.getAttribute('aria-label') ?? []),
  ).toEqual(expect.arrayContaining(['办公耗材', '办公用品']))
  await waitFor(() => expect(asked().filter(Boolean)[0]).toBe('3'))
})

const desk = (given: object = {}) => ({
  Counts: {
    PendingApproval: 3,
    PendingReceipt: 2,
    PendingPayment: 0,
    PendingShipment: 0,
    OwnInApproval: 1,
  },
  Budgets: [{ Id: '1', Name: '部门预算', Amount: '1000.00', Available: '250.00', IsUsable: true }],
  RecentOrders: [],
  FrequentlyBought: [],
  PurchasedCategories: [],
  ...given,
})

test('the card of a buyer says what waits and what is left of the budget', async () => {
  signIn()
  answer('post', '/api/Category/GetCustomerCategories', [])
  answer('get', '/api/Product', { Items: [] })
  answer('get', '/api/Workbench', desk())
  renderAt('/', Component)
  const card = screen.getByRole('region', { name: '我的工作' })
  expect(await within(card).findByRole('link', { name: '3待我审批' })).toHaveAttribute(
    'href',
    '/userCenter/order/approval',
  )
  expect(within(card).getByRole('link', { name: '2待收货' })).toHaveAttribute(
    'href',
    '/userCenter/order/index?Status=pending_receipt',
  )
  expect(within(card).getByText('¥250.00')).toBeVisible()
})

test('the card of who approves nothing shows his other work instead, and only budgets he orders on', async () => {
  signIn()
  answer('post', '/api/Category/GetCustomerCategories', [])
  answer('get', '/api/Product', { Items: [] })
  answer(
    'get',
    '/api/Workbench',
    desk({
      Counts: {
        PendingApproval: null,
        PendingReceipt: 2,
        PendingPayment: 0,
        OwnInApproval: 1,
        PendingShipment: 4,
        QuotedInquiries: 0,
      },
      Budgets: [
        { Id: '1', Name: '部门预算', Amount: '1000.00', Available: '250.00', IsUsable: false },
      ],
    }),
  )
  renderAt('/', Component)
  const card = screen.getByRole('region', { name: '我的工作' })
  expect(await within(card).findByRole('link', { name: '4待发货' })).toBeVisible()
  expect(within(card).queryByRole('link', { name: /待我审批/ })).toBeNull()
  expect(within(card).getByText('没有可用的预算')).toBeVisible()
})

test('a card that could not be loaded offers another try', async () => {
  signIn()
  answer('post', '/api/Category/GetCustomerCategories', [])
  answer('get', '/api/Product', { Items: [] })
  refuse('get', '/api/Workbench', { status: 500 })
  renderAt('/', Component)
  const failed = await within(screen.getByRole('region', { name: '我的工作' })).findByRole('alert')
  answer('get', '/api/Workbench', desk())
  await userEvent.click(within(failed).getByRole('button', { name: '重新加载' }))
  expect(await screen.findByText('¥250.00')).toBeVisible()
})

test('what is often bought goes into the cart in its least quantity', async () => {
  signIn()
  answer('post', '/api/Category/GetCustomerCategories', [])
  answer('get', '/api/Product', { Items: [pen] })
  answer('get', '/api/Workbench', desk({ FrequentlyBought: [pen] }))
  answer('post', '/api/ShoppingCart/AddToCart', {})
  renderAt('/', Component)
  const often = await screen.findByRole('region', { name: '常购商品' })
  await userEvent.click(within(often).getByRole('button', { name: /^加购 .*：笺禾 红色中性笔$/ }))
  await waitFor(() =>
    expect(sent.find(({ url }) => url.pathname.endsWith('/AddToCart'))?.body).toEqual({
      Items: [{ ProductCode: '110003', Quantity: 10 }],
    }),
  )
})

test('the ranking is the sales order of what this person may see', async () => {
  answer('post', '/api/Category/MallCategories', [])
  const Family = { Name: '拔帽中性笔', LowestPrice: '1.60', HasPriceRange: true }
  answer('get', '/api/Product', { Items: [pen, { ...pen, ProductCode: '110004', Family }] })
  renderAt('/', Component)
  const ranking = await screen.findByRole('region', { name: '热销榜' })
  expect(
    (await within(ranking).findAllByRole('listitem')).map((row) => row.textContent?.slice(0, 9)),
  ).toEqual(['1笺禾 红色中性笔', '2笺禾 拔帽中性笔'])
  expect(ranking).toHaveTextContent('¥1.60 起')
  expect(
    sent.find(({ url }) => url.pathname === '/api/Product')?.url.searchParams.get('Sort'),
  ).toBe('sales')
})

test('a person who has bought nothing yet sees the ranking alone', async () => {
  signIn()
  answer('post', '/api/Category/GetCustomerCategories', [])
  answer('get', '/api/Product', { Items: [pen] })
  answer('get', '/api/Workbench', desk())
  renderAt('/', Component)
  expect(await screen.findByRole('region', { name: '热销榜' })).toBeVisible()
  expect(screen.queryByRole('region', { name: '常购商品' })).toBeNull()
})

describe('the banners', () => {
  const title = (): string | null | undefined =>
    screen.getByRole('region', { name: '活动' }).querySelector('a:not([aria-hidden="true"]) b')
      ?.textContent

  beforeEach(() => {
    answer('post', '/api/Category/MallCategories', [])
    answer('get', '/api/Product', { Items: [] })
    renderAt('/', Component)
  })

  test('move with arrows, keys and dots, and round', async () => {
    await userEvent.click(screen.getByRole('button', { name: '下一张' }))
    expect(title()).toBe('审批与预算，下单前就看清')
    await userEvent.keyboard('{ArrowRight}')
    expect(title()).toBe('企业办公，一站配齐')
    await userEvent.keyboard('{ArrowLeft}')
    expect(title()).toBe('审批与预算，下单前就看清')
    await userEvent.click(screen.getByRole('button', { name: '第 1 张：企业办公，一站配齐' }))
    expect(title()).toBe('企业办公，一站配齐')
  })

  // The test setup has reduced motion.
  test('say whether they run, and stand still for a person who wants no motion', async () => {
    await userEvent.click(screen.getByRole('button', { name: '自动轮播' }))
    expect(screen.getByRole('button', { name: '暂停轮播' })).toBeVisible()
  })

  test('run by themselves for others', async () => {
    cleanup()
    const { matchMedia } = window
    vi.stubGlobal('matchMedia', (query: string) =>
      Object.assign(matchMedia(query), { matches: false }),
    )
    renderAt('/', Component)
    expect(screen.getByRole('button', { name: '暂停轮播' })).toBeVisible()
  })
})
