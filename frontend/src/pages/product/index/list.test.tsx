import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { http, HttpResponse } from 'msw'
import { expect, test } from 'vitest'
import { plugShell } from '@/api/shell'
import { renderAt } from '@/test/render'
import { answer, refuse, sent, server } from '@/test/server'
import { signIn } from '@/test/session'
import { Component } from '.'
import { readState, toQuery, withValues } from './query'

const row = (ProductCode: string) => ({
  ProductCode,
  ImageUrl: '',
  CustomerProductName: `中性笔 ${ProductCode}`,
  CustomerCode: '',
  CustomerPrice: '1.41',
  MallPrice: '1.60',
  IsAgreementPrice: true,
  Brand: '笺禾',
  ModelCode: 'JH-1',
  Pack: '1支',
  Unit: '支',
  MinQuantity: 10,
  StepQuantity: 10,
  Stock: 1500,
  LeadDays: 2,
  SalesCount: 9,
  Rating: null,
  ReviewCount: 0,
  IsOnSale: true,
})
const page = {
  Items: [row('110003')],
  Total: 1,
  TotalIsCapped: false,
  PageIndex: 1,
  PageSize: 20,
  Breadcrumbs: [],
  Facets: {
    Categories: [],
    Brands: [
      { BrandId: '2', Name: '笺禾', Count: 7 },
      { BrandId: '3', Name: '卓砚', Count: 5 },
    ],
    Attributes: [],
    Prices: [],
  },
}
const asked = (): string | undefined =>
  sent.filter(({ url }) => url.pathname === '/api/Product').at(-1)?.url.search

test('an address becomes a question; nonsense in it is left out', () => {
  const state = readState(
    new URLSearchParams(
      'Keyword= 笔 &Cid=abc&MinPrice=x&MaxPrice=9.5&InStock=1&Attr=nonsense&Attr=颜色:黑&View=table',
    ),
  )
  expect(toQuery(state)).toEqual({
    Keyword: '笔',
    MaxPrice: '9.5',
    InStock: '1',
    Attr: ['颜色:黑'],
    PageIndex: 1,
    PageSize: 20,
    Group: 'family',
    Variants: '1',
  })
})

test('values of one attribute are replaced, the others stay', () => {
  expect(withValues(['颜色:黑', '线幅:0.5'], '颜色', ['红', '蓝'])).toEqual([
    '线幅:0.5',
    '颜色:红',
    '颜色:蓝',
  ])
})

test('a brand is chosen by a click and lives in the address, back on page 1', async () => {
  answer('get', '/api/Product', page)
  const list = renderAt('/product/index?Keyword=笔&PageIndex=3', Component)
  await userEvent.click(await screen.findByRole('button', { name: /^笺禾/ }))
  await waitFor(() =>
    expect(new URLSearchParams(list.location().split('?')[1]).getAll('Brand')).toEqual(['笺禾']),
  )
  await waitFor(() => expect(new URLSearchParams(asked()).getAll('Brand')).toEqual(['笺禾']))
  expect(new URLSearchParams(asked()).get('PageIndex')).toBe('1')
})

test('多选 takes several brands at once', async () => {
  answer('get', '/api/Product', page)
  const list = renderAt('/product/index', Component)
  await userEvent.click(await screen.findByRole('button', { name: '多选' }))
  await userEvent.click(await screen.findByRole('checkbox', { name: /^笺禾/ }))
  await userEvent.click(screen.getByRole('checkbox', { name: /^卓砚/ }))
  await userEvent.click(screen.getAllByRole('button', { name: '确定' })[0]!)
  await waitFor(() =>
    expect(new URLSearchParams(list.location().split('?')[1]).getAll('Brand')).toEqual([
      '笺禾',
      '卓砚',
    ]),
  )
})

test('a brand named by its id in a link is shown by its name, and taken away', async () => {
  answer('get', '/api/Product', page)
  const list = renderAt('/product/index?Brand=2', Component)
  expect(await screen.findByRole('button', { name: /^笺禾/, pressed: true })).toBeVisible()
  await userEvent.click(screen.getByRole('button', { name: '去掉笺禾' }))
  await waitFor(() => expect(list.location()).not.toContain('Brand'))
})

test('a product goes into the cart in place, with a legal quantity', async () => {
  signIn()
  answer('get', '/api/Product', page)
  answer('post', '/api/ShoppingCart/AddToCart', null)
  renderAt('/product/index', Component)
  const quantity = await screen.findByRole('textbox', { name: '笺禾 中性笔 110003数量' })
  await userEvent.clear(quantity)
  await userEvent.type(quantity, '25{Enter}')
  await userEvent.click(screen.getByRole('button', { name: '加入购物车' }))
  await waitFor(() =>
    expect(sent.at(-1)?.body).toEqual({ Items: [{ ProductCode: '110003', Quantity: 30 }] }),
  )
})

test('nothing found says so and offers a way on', async () => {
  answer('get', '/api/Product', { ...page, Items: [], Total: 0 })
  renderAt('/product/index?Keyword=无此物', Component)
  expect(await screen.findByText('没有找到与“无此物”相关的商品')).toBeVisible()
  expect(screen.getByRole('link', { name: '就“无此物”询价' })).toHaveAttribute(
    'href',
    `/userCenter/order/productInquiry/apply?keyword=${encodeURIComponent('无此物')}`,
  )
})

test('a list that cannot be loaded offers another try', async () => {
  refuse('get', '/api/Product', { status: 500 })
  renderAt('/product/index', Component)
  expect(await screen.findByRole('alert')).toHaveTextContent('服务器故障')
})

test('in the table a typed quantity chooses its row, and all chosen go into the cart in one call', async () => {
  signIn()
  answer('get', '/api/Product', { ...page, Items: [row('110003'), row('110004'), row('110005')] })
  answer('post', '/api/ShoppingCart/AddToCart', null)
  renderAt('/product/index?View=table', Component)
  const type = async (code: string, quantity: string): Promise<void> => {
    const box = await screen.findByRole('textbox', { name: `笺禾 中性笔 ${code}数量` })
    await userEvent.clear(box)
    await userEvent.type(box, `${quantity}{Enter}`)
  }
  await type('110003', '25')
  await type('110005', '40')
  const bar = screen.getByRole('region', { name: '批量加入购物车' })
  expect(bar).toHaveTextContent('已选 2 种')
  expect(bar).toHaveTextContent('¥98.70')
  await userEvent.click(screen.getByRole('button', { name: '批量加入购物车' }))
  await waitFor(() =>
    expect(sent.at(-1)?.body).toEqual({
      Items: [
        { ProductCode: '110003', Quantity: 30 },
        { ProductCode: '110005', Quantity: 40 },
      ],
    }),
  )
  await waitFor(() => expect(screen.queryByRole('region', { name: '批量加入购物车' })).toBeNull())
})

test('what is in stock and what is agreed are counted beside their boxes', async () => {
  signIn()
  answer('get', '/api/Product', { ...page, Facets: { ...page.Facets, InStock: 41, Agreed: 7 } })
  renderAt('/product/index', Component)
  expect(await screen.findByRole('checkbox', { name: '仅看有货 41' })).not.toBeChecked()
  expect(screen.getByRole('checkbox', { name: '协议商品 7' })).not.toBeChecked()
})

test('attributes are offered once a keyword or a category narrows the list', async () => {
  answer('get', '/api/Product', {
    ...page,
    Facets: { ...page.Facets, Attributes: [{ Name: '颜色', Values: [{ Value: '黑', Count: 3 }] }] },
  })
  renderAt('/product/index', Component)
  await screen.findByRole('group', { name: '品牌' })
  expect(screen.queryByRole('group', { name: '颜色' })).toBeNull()
})

test('a search that was understood otherwise says by which word', async () => {
  answer('get', '/api/Product', { ...page, Understood: '中性笔' })
  renderAt('/product/index?Keyword=zxb', Component)
  expect(await screen.findByRole('status')).toHaveTextContent(
    '没有与“zxb”完全匹配的商品，已按“中性笔”为您搜索',
  )
})

test('what was understood can be removed, and what was relaxed is named', async () => {
  const Phrase = [
    { Kind: 'price', Label: '价格 ≤ 10 元', Keyword: '静音碎纸机 不要红色' },
    { Kind: 'excluded', Label: '不含 红色', Keyword: '10元以下静音碎纸机' },
  ]
  answer('get', '/api/Product', { ...page, Phrase, Relaxed: ['静音'], Understood: '碎纸机' })
  renderAt('/product/index?Keyword=10元以下静音碎纸机 不要红色', Component)
  expect(await screen.findByRole('status')).toHaveTextContent('没有同时符合的商品，已放宽：静音')
  const parts = within(screen.getByRole('group', { name: '从搜索词理解到的条件' }))
  expect(parts.getByText('价格 ≤ 10 元')).toBeInTheDocument()
  await userEvent.click(parts.getByRole('button', { name: '去掉不含 红色' }))
  await waitFor(() =>
    expect(new URLSearchParams(asked()).get('Keyword')).toBe('10元以下静音碎纸机'),
  )
})

test('a negative price is refused with a message and does not filter', async () => {
  answer('get', '/api/Product', page)
  renderAt('/product/index', Component)
  await userEvent.type(await screen.findByRole('textbox', { name: '最低价' }), '-5{Enter}')
  expect(screen.getByRole('alert')).toHaveTextContent('价格不能为负数')
  expect(asked()).not.toContain('MinPrice')
})

test('a category without children shows its siblings, itself marked', async () => {
  const Categories = [
    { CategoryId: '34', Name: '中性水性笔', Level: 2, ParentId: '1', Count: 76 },
    { CategoryId: '35', Name: '圆珠钢笔', Level: 2, ParentId: '1', Count: 33 },
  ]
  answer('get', '/api/Product', {
    ...page,
    Breadcrumbs: [
      { CategoryId: '1', Name: '书写修正' },
      { CategoryId: '34', Name: '中性水性笔' },
    ],
    Facets: { ...page.Facets, Categories },
  })
  renderAt('/product/index?Cid=34', Component)
  expect(await screen.findByRole('button', { name: /^中性水性笔/ })).toHaveAttribute(
    'aria-pressed',
    'true',
  )
  expect(screen.getByRole('button', { name: /^圆珠钢笔/ })).toHaveAttribute('aria-pressed', 'false')
})

const inColours = (code: string) => ({
  ...row(code),
  Variants: [
    {
      ProductCode: '110003',
      ImageUrl: '',
      Specs: [{ Name: '颜色', Value: '红色' }],
      InStock: true,
      CustomerPrice: '1.60',
    },
    {
      ProductCode: '110004',
      ImageUrl: '',
      Specs: [{ Name: '颜色', Value: '黑色' }],
      InStock: true,
    },
  ],
})

test.each(['', '&View=table'])(
  'another colour takes the place of the product, at its own price%s',
  async (view) => {
    signIn()
    answer('get', '/api/Product', { ...page, Items: [inColours('110003')] })
    answer('get', '/api/Product/Compare', [
      {
        ...row('110004'),
        CustomerPrice: '1.99',
        MinQuantity: 5,
        StepQuantity: 5,
        Attributes: [],
        SellingPoints: [],
      },
    ])
    answer('post', '/api/ShoppingCart/AddToCart', null)
    renderAt(`/product/index?Keyword=笔${view}`, Component)
    expect(await screen.findByRole('button', { name: '红色' })).toHaveAttribute(
      'aria-pressed',
      'true',
    )
    await userEvent.click(screen.getByRole('button', { name: '黑色' }))
    expect(await screen.findByRole('link', { name: '笺禾 中性笔 110004' })).toHaveAttribute(
      'href',
      '/110004.html',
    )
    expect(screen.getByText('1.99')).toBeVisible()
    await userEvent.click(screen.getByRole('button', { name: '加入购物车' }))
    await waitFor(() =>
      expect(sent.at(-1)?.body).toEqual({ Items: [{ ProductCode: '110004', Quantity: 5 }] }),
    )
  },
)

const family = (code: string) => ({
  ...inColours(code),
  Family: {
    Code: 'F1',
    Name: '拔帽中性笔 0.7mm',
    Axes: ['颜色'],
    LowestPrice: '1.60',
    HasPriceRange: true,
  },
})
const blackPen = { ...row('110004'), CustomerPrice: '1.99', Attributes: [], SellingPoints: [] }

test('a family is named with its lowest price, until one of its colours is chosen', async () => {
  signIn()
  answer('get', '/api/Product', { ...page, Items: [family('110003')] })
  answer('get', '/api/Product/Compare', [blackPen])
  renderAt('/product/index?Keyword=笔', Component)
  const card = await screen.findByRole('article')
  expect(within(card).getByRole('link', { name: '笺禾 拔帽中性笔 0.7mm' })).toHaveAttribute(
    'href',
    '/110003.html',
  )
  expect(card).toHaveTextContent('¥1.60 起')
  expect(card).toHaveTextContent('2 种规格可选')
  expect(within(card).queryByRole('button', { name: '加入购物车' })).toBeNull()
  await userEvent.click(screen.getByRole('button', { name: '黑色' }))
  expect(await within(card).findByRole('link', { name: '笺禾 中性笔 110004' })).toBeVisible()
  expect(card).toHaveTextContent('¥1.99')
  expect(card).not.toHaveTextContent('1.60')
  expect(within(card).getByRole('button', { name: '加入购物车' })).toBeEnabled()
})

test('the button of a family opens the choice, and the chosen product goes into the cart at its price', async () => {
  signIn()
  answer('get', '/api/Product', { ...page, Items: [family('110003')] })
  answer('get', '/api/Product/Compare', [blackPen])
  answer('post', '/api/ShoppingCart/AddToCart', null)
  renderAt('/product/index', Component)
  await userEvent.click(await screen.findByRole('button', { name: '选规格' }))
  const dialog = within(await screen.findByRole('dialog', { name: '选择规格' }))
  expect(dialog.getByText('1.41')).toBeVisible()
  expect(dialog.getByRole('button', { name: '红色' })).toHaveAttribute('aria-pressed', 'true')
  await userEvent.click(dialog.getByRole('button', { name: '黑色' }))
  expect(await dialog.findByText('1.99')).toBeVisible()
  await userEvent.click(dialog.getByRole('button', { name: '加入购物车' }))
  await waitFor(() =>
    expect(sent.at(-1)?.body).toEqual({ Items: [{ ProductCode: '110004', Quantity: 10 }] }),
  )
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
})

test('the colour pressed last is shown, whichever answer comes first, and nothing is bought meanwhile', async () => {
  signIn()
  const waiting: Record<string, () => void> = {}
  answer('get', '/api/Product', { ...page, Items: [inColours('110009')] })
  server.use(
    http.get('/api/Product/Compare', async ({ request }) => {
      const code = new URL(request.url).searchParams.get('Code') ?? ''
      await new Promise<void>((resolve) => {
        waiting[code] = resolve
      })
      return HttpResponse.json({
        MsgHeader: { Success: true, RetCode: '', RetMessage: '' },
        MsgBody: [{ ...blackPen, ...row(code) }],
      })
    }),
  )
  renderAt('/product/index', Component)
  await userEvent.click(await screen.findByRole('button', { name: '红色' }))
  await userEvent.click(screen.getByRole('button', { name: '黑色' }))
  expect(screen.getByRole('button', { name: '加入购物车' })).toBeDisabled()
  await waitFor(() => expect(Object.keys(waiting)).toHaveLength(2))
  waiting['110004']?.()
  expect(await screen.findByRole('link', { name: '笺禾 中性笔 110004' })).toBeVisible()
  waiting['110003']?.()
  await waitFor(() => expect(screen.getByRole('button', { name: '加入购物车' })).toBeEnabled())
  expect(screen.getByRole('link', { name: '笺禾 中性笔 110004' })).toBeVisible()
  expect(screen.getByRole('button', { name: '黑色' })).toHaveAttribute('aria-pressed', 'true')
})

test.each([
  ['服务繁忙', () => refuse('get', '/api/Product/Compare', { code: 'busy', message: '服务繁忙' })],
  ['该规格暂时无法购买', () => answer('get', '/api/Product/Compare', [])],
])('a colour that cannot be read says %s and can be pressed again', async (message, fail) => {
  signIn()
  answer('get', '/api/Product', { ...page, Items: [inColours('110003')] })
  fail()
  const told: string[] = []
  plugShell({ error: (text) => told.push(text) })
  renderAt('/product/index', Component)
  await userEvent.click(await screen.findByRole('button', { name: '黑色' }))
  await waitFor(() => expect(told).toEqual([expect.stringContaining(message)]))
  expect(screen.getByRole('button', { name: '红色' })).toHaveAttribute('aria-pressed', 'true')
  answer('get', '/api/Product/Compare', [blackPen])
  await userEvent.click(screen.getByRole('button', { name: '黑色' }))
  expect(await screen.findByRole('link', { name: '笺禾 中性笔 110004' })).toBeVisible()
})

test('four products may be compared, a fifth is refused', async () => {
  answer('get', '/api/Product', { ...page, Items: ['1', '2', '3', '4', '5'].map(row) })
  renderAt('/product/index', Component)
  for (const code of ['1', '2', '3', '4', '5'])
    await userEvent.click(await screen.findByRole('button', { name: `对比笺禾 中性笔 ${code}` }))
  expect(screen.getAllByRole('button', { pressed: true, name: /^对比/ })).toHaveLength(4)
  expect(screen.getByRole('button', { name: '对比笺禾 中性笔 5' })).toHaveAttribute(
    'aria-pressed',
    'false',
  )
})

test('a keyword too long in the address is not asked for; what is allowed is said', async () => {
  renderAt(`/product/index?Keyword=${'字'.repeat(101)}`, Component)
  expect(await screen.findByText('搜索词最多 100 个字，已输入 101 个')).toBeVisible()
  expect(sent).toEqual([])
})

test('an empty list names the filters to drop and words that find something', async () => {
  const NoResult = {
    Dropped: [
      { Filter: 'Brand', Name: '', Label: '品牌：笺禾', Count: 12 },
      { Filter: 'Attr', Name: '颜色', Label: '颜色：紫色', Count: 3 },
    ],
    NearWords: [{ Keyword: '中性笔', Count: 51 }],
  }
  answer('get', '/api/Product', { ...page, Items: [], Total: 0, NoResult })
  const list = renderAt('/product/index?Keyword=中性比&Brand=2&Attr=颜色:紫色', Component)
  expect(await screen.findByRole('link', { name: '中性笔 51 件' })).toBeVisible()
  await userEvent.click(screen.getByRole('button', { name: '去掉“颜色：紫色” 3 件' }))
  await waitFor(() =>
    expect(new URLSearchParams(list.location().split('?')[1]).getAll('Attr')).toEqual([]),
  )
  expect(new URLSearchParams(list.location().split('?')[1]).getAll('Brand')).toEqual(['2'])
})

test('where the filters leave nothing, that is said with how many the keyword has, and one click drops them all', async () => {
  const NoResult = {
    Dropped: [{ Filter: 'All', Name: '', Label: '全部筛选条件', Count: 54 }],
    NearWords: [],
  }
  answer('get', '/api/Product', { ...page, Items: [], Total: 0, NoResult })
  const list = renderAt('/product/index?Keyword=中性笔&Brand=2&MinPrice=9999', Component)
  expect(await screen.findByText('当前筛选条件下没有商品')).toBeVisible()
  expect(screen.getByText('共 54 件与“中性笔”相关')).toBeVisible()
  expect(screen.queryByRole('button', { name: /全部筛选条件/ })).toBeNull()
  await userEvent.click(screen.getByRole('button', { name: '清空筛选条件' }))
  await waitFor(() =>
    expect(list.location()).toBe(`/product/index?Keyword=${encodeURIComponent('中性笔')}`),
  )
})

test('of more specifications than have room the product’s page has all', async () => {
  const third = {
    ProductCode: '110005',
    ImageUrl: '',
    Specs: [{ Name: '颜色', Value: '蓝色' }],
    InStock: true,
  }
  const colours = inColours('110005')
  answer('get', '/api/Product', {
    ...page,
    Items: [{ ...colours, Variants: [...colours.Variants, third] }],
  })
  renderAt('/product/index', Component)
  const group = await screen.findByRole('group', { name: '可选规格' })
  expect(
    within(group)
      .getAllByRole('button')
      .map(({ textContent }) => textContent),
  ).toEqual(['蓝色', '红色', '黑色'])
  expect(within(group).getByRole('link', { name: '3 种' })).toHaveAttribute('href', '/110005.html')
})

test('the table says so in the address, and nothing that goes without saying', async () => {
  answer('get', '/api/Product', page)
  const list = renderAt('/product/index', Component)
  await userEvent.click(await screen.findByRole('button', { name: '表格' }))
  await waitFor(() => expect(list.location()).toBe('/product/index?View=table'))
})

test('a visitor is offered pages of at most a hundred, and asks for no more when the address says so', async () => {
  answer('get', '/api/Product', page)
  renderAt('/product/index?PageSize=1000', Component)
  const sizes = await screen.findByRole('combobox', { name: '每页条数' })
  expect([...sizes.querySelectorAll('option')].map(({ value }) => value)).toEqual([
    '10',
    '20',
    '50',
    '100',
  ])
  expect(new URLSearchParams(asked()).get('PageSize')).toBe('20')
})

test('who is signed in may ask for a page of every size of the spec', async () => {
  signIn()
  answer('get', '/api/Product', page)
  renderAt('/product/index', Component)
  const sizes = await screen.findByRole('combobox', { name: '每页条数' })
  expect([...sizes.querySelectorAll('option')].map(({ value }) => value)).toEqual([
    '10',
    '20',
    '50',
    '100',
    '1000',
  ])
})

test('the price per base unit is shown, filters by a unit and orders both ways', async () => {
  const box = { ...row('110001'), BaseUnit: '支', Contents: 12, BaseUnitPrice: '0.12' }
  answer('get', '/api/Product', { ...page, Items: [box] })
  const list = renderAt('/product/index?Keyword=笔', Component)
  expect(await screen.findByText(/¥0\.12\/支/)).toBeVisible()
  await userEvent.type(await screen.findByLabelText('最高折合单价'), '0.5')
  await userEvent.click(screen.getAllByRole('button', { name: '确定' }).at(-1)!)
  await waitFor(() => expect(asked()).toContain('BaseUnit=%E6%94%AF&MaxBaseUnitPrice=0.5'))
  await userEvent.click(screen.getByRole('button', { name: '折合单价' }))
  await userEvent.click(await screen.findByRole('button', { name: '折合单价从低到高' }))
  await waitFor(() => expect(asked()).toContain('Sort=-baseUnitPrice'))
  await userEvent.click(screen.getByRole('button', { name: '去掉每支 0–0.5 元' }))
  await waitFor(() => expect(list.location()).not.toContain('BaseUnitPrice=0.5'))
})
