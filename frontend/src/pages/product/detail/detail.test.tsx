import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { http } from 'msw'
import { expect, test } from 'vitest'
import { renderAt } from '@/test/render'
import { answer, refuse, sent, server } from '@/test/server'
import { signIn } from '@/test/session'
import { Component } from '.'

const row = {
  ProductCode: '110004',
  ImageUrl: '',
  CustomerProductName: '替代笔',
  CustomerPrice: '2.00',
  MallPrice: '2.00',
  Brand: '笺禾',
  Unit: '支',
  MinQuantity: 1,
  StepQuantity: 1,
  Stock: 9,
  IsOnSale: true,
  Tiers: [],
}
const detail = (given: Record<string, unknown> = {}) => ({
  ...row,
  ProductCode: '110003',
  CustomerProductName: '集采中性笔',
  ProductName: '笺禾中性笔 0.7mm',
  CustomerCode: 'XL001',
  CustomerPrice: '1.37',
  MallPrice: '1.70',
  IsAgreementPrice: true,
  ModelCode: 'JH-1',
  Pack: '1支',
  MinQuantity: 10,
  StepQuantity: 5,
  Stock: 1340,
  LeadDays: 2,
  Images: [],
  PriceSource: { Code: 'A1', Name: '集采框架协议', ValidTo: '2027-11-21' },
  Attributes: [{ Name: '线幅', Value: '0.7mm' }],
  SellingPoints: [],
  Description: '',
  TaxRate: '0.13',
  Breadcrumbs: [],
  IsFavorite: false,
  Substitutes: [],
  Tiers: [],
  Barcode: '',
  GoesWith: [],
  OwnName: '',
  OwnCode: '',
  Variants: [],
  Family: null,
  Documents: [],
  ...given,
})
const NOBODY = { Times: 0, People: 0, Quantity: 0, LastAt: null, Buyers: [], Together: [] }
const PLACES = [
  {
    AddressId: '1',
    Label: '总部',
    Address: '苏州市示例路 18 号',
    Receiver: '林晓雨',
    IsDefault: true,
    Days: 2,
    ArrivesOn: '2026-11-24',
    Fee: '8.00',
    FreeFrom: '99.00',
  },
  {
    AddressId: '2',
    Label: '',
    Address: '乌鲁木齐市示例路 1 号',
    Receiver: '马一',
    IsDefault: false,
    Days: 7,
    ArrivesOn: '2026-11-29',
    Fee: '30.00',
    FreeFrom: null,
  },
]
const NO_QUESTIONS = { Items: [], Total: 0, PageIndex: 1, PageSize: 10 }
const show = (
  given: Record<string, unknown> = {},
  history: Record<string, unknown> = NOBODY,
): void => {
  answer('get', '/api/Product/110003/Purchases', history)
  answer('get', '/api/Product/110003/Delivery', PLACES)
  answer('get', '/api/Product/110003/Questions', NO_QUESTIONS)
  answer('post', '/api/Account/GetUserMenuList', [])
  answer('get', '/api/Product/110003', detail(given))
  renderAt('/110003.html', Component, '/:code.html')
}
const posted = (): unknown[] =>
  sent
    .filter(({ method, url }) => method === 'POST' && url.pathname === '/api/Favorite/Add')
    .map(({ body }) => body)

test('an agreement price says where it comes from and until when', async () => {
  show()
  expect(await screen.findByText('集采框架协议')).toBeVisible()
  expect(screen.getByText('有效期至 2027-11-21')).toBeVisible()
  expect(screen.getByText('较市场价省 19%')).toBeVisible()
})

test("the customer's own name leads; the mall's name and the material code stand beside it", async () => {
  signIn()
  show()
  expect(await screen.findByRole('heading', { level: 1 })).toHaveTextContent('笺禾 集采中性笔')
  expect(screen.getByText('商城品名：笺禾中性笔 0.7mm')).toBeVisible()
  expect(screen.getByText('XL001')).toBeVisible()
})

test('minimum and step are said, and the quantity starts at the minimum', async () => {
  show()
  expect(await screen.findByText(/10 支起订，每次增加 5 支/)).toHaveTextContent(
    '可购 10、15、20 支',
  )
  expect(screen.getByRole('textbox', { name: '笺禾 集采中性笔数量' })).toHaveValue('10')
})

test('a product out of stock cannot be bought and points to what may stand in', async () => {
  show({ Stock: 0, Substitutes: [row] })
  expect(await screen.findByRole('button', { name: '暂时缺货' })).toBeDisabled()
  expect(screen.getByRole('link', { name: '看看同类可替代的 1 件商品' })).toHaveAttribute(
    'href',
    '#substitutes',
  )
})

test('a product off sale says so', async () => {
  show({ IsOnSale: false })
  expect(await screen.findByRole('button', { name: '已下架' })).toBeDisabled()
})

test('a product this customer may not see is a page that leads on', async () => {
  refuse('get', '/api/Product/110003', { status: 404, code: 'not_found' })
  renderAt('/110003.html', Component, '/:code.html')
  expect(await screen.findByText('没有找到这件商品')).toBeVisible()
})

test('a code that is not all digits is no product and asks nothing', () => {
  renderAt('/11000x.html', Component, '/:code.html')
  expect(screen.getByText('没有找到这个页面')).toBeVisible()
  expect(sent).toEqual([])
})

test('looking at a product is remembered as a browse record, in silence', async () => {
  signIn()
  refuse('post', '/api/Favorite/Add', { message: '太频繁' })
  show()
  await waitFor(() => expect(posted()).toEqual([{ TargetId: '110003', Type: 2 }]))
  expect(screen.queryByText('太频繁')).toBeNull()
})

test('a visitor leaves no browse record', async () => {
  show()
  await screen.findByRole('heading', { level: 1 })
  expect(posted()).toEqual([])
})

test('a favourite is added as type 1', async () => {
  signIn()
  answer('post', '/api/Favorite/Add', null)
  show()
  await userEvent.click(await screen.findByRole('button', { name: '收藏' }))
  await waitFor(() => expect(posted()).toContainEqual({ TargetId: '110003', Type: 1 }))
})

test('a favourite is taken away by a second click', async () => {
  answer('delete', '/api/Favorite/110003', null)
  show({ IsFavorite: true })
  await userEvent.click(await screen.findByRole('button', { name: '已收藏' }))
  await waitFor(() =>
    expect(sent.some(({ method, url }) => method === 'DELETE' && url.search === '?Type=1')).toBe(
      true,
    ),
  )
})

test('it arrives at the default address, or at the one chosen, with its freight', async () => {
  signIn()
  show()
  const chooser = await screen.findByRole('combobox', { name: '收货地址' })
  expect(chooser.parentElement).toHaveTextContent('（2 天） · 运费 8 元，满 99 元免运费')
  await userEvent.selectOptions(chooser, '2')
  expect(chooser.parentElement).toHaveTextContent('（7 天） · 运费 30 元')
})

test('a visitor is told the plain lead time and asked to sign in for his address', async () => {
  show()
  expect(await screen.findByRole('link', { name: '登录后按收货地址估算' })).toHaveAttribute(
    'href',
    '/login?redirect=%2F110003.html',
  )
})

test('a value of a spec leads to the product that is otherwise alike', async () => {
  const variant = (ProductCode: string, colour: string, pack: string) => ({
    ProductCode,
    ImageUrl: '',
    Specs: [
      { Name: '颜色', Value: colour },
      { Name: '规格', Value: pack },
    ],
    InStock: true,
  })
  show({
    Variants: [
      variant('110001', '黑色', '12支'),
      variant('110002', '黑色', '1支'),
      variant('110003', '红色', '1支'),
    ],
  })
  expect(await screen.findByRole('link', { name: '黑色' })).toHaveAttribute('href', '/110002.html')
  expect(screen.getByRole('link', { name: '红色' })).toHaveAttribute('aria-current', 'true')
  expect(screen.getByRole('link', { name: '12支' })).toHaveAttribute('href', '/110001.html')
  expect(screen.getByRole('link', { name: '12支' })).toHaveAttribute(
    'title',
    '没有这种组合，将换成 黑色 12支',
  )
})

test('colleagues who bought it are named below, and what the house orders with it stands first', async () => {
  signIn()
  const Buyers = [
    {
      Name: '小林',
      Department: '行政部',
      IsSelf: true,
      Times: 2,
      Quantity: 20,
      LastAt: '2026-11-03T10:00:00+08:00',
    },
  ]
  show(
    { GoesWith: [row] },
    {
      Times: 2,
      People: 1,
      Quantity: 20,
      LastAt: '2026-11-03T10:00:00+08:00',
      Buyers,
      Together: [{ ...row, ProductCode: '110009', CustomerProductName: '笔芯' }],
    },
  )
  expect(
    await screen.findByRole('link', { name: '近一年 1 人 2 次，最近 2026-11-03' }),
  ).toHaveAttribute('href', '#colleagues')
  expect(await screen.findByRole('region', { name: '同事买过' })).toHaveTextContent(
    '小林 我行政部220 支2026-11-03',
  )
  expect(screen.getByRole('heading', { name: /搭配选购/ }).parentElement).toHaveTextContent(
    /笔芯.*替代笔/,
  )
})

test('who looks after the group may give the product its own name and code', async () => {
  signIn({ utype: 'GA' })
  answer('patch', '/api/Product/110003/OwnName', row)
  show({ OwnCode: 'WL-1' })
  await userEvent.click(await screen.findByRole('button', { name: '编辑自有品名与物料号' }))
  expect(await screen.findByLabelText('物料号')).toHaveValue('WL-1')
  await userEvent.type(screen.getByLabelText('自有品名'), '签字笔（红）')
  await userEvent.click(screen.getByRole('button', { name: '保存' }))
  await waitFor(() =>
    expect(sent.find(({ method }) => method === 'PATCH')?.body).toEqual({
      CustomerProductName: '签字笔（红）',
      CustomerCode: 'WL-1',
    }),
  )
})

test('once it is said to be saved the dialog is gone, however long the page is asked anew', async () => {
  signIn({ utype: 'GA' })
  answer('patch', '/api/Product/110003/OwnName', row)
  show()
  await userEvent.click(await screen.findByRole('button', { name: '编辑自有品名与物料号' }))
  server.use(http.get('/api/Product/110003', () => new Promise<never>(() => undefined)))
  await userEvent.type(await screen.findByLabelText('自有品名'), '签字笔')
  await userEvent.click(screen.getByRole('button', { name: '保存' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
})

test('who may not look after the group is offered no pencil', async () => {
  signIn()
  show()
  await screen.findByRole('combobox', { name: '收货地址' })
  expect(screen.queryByRole('button', { name: '编辑自有品名与物料号' })).toBeNull()
})

test('the picture is walked and enlarged by the keyboard', async () => {
  show({ Images: ['/media/a.svg', '/media/b.svg'] })
  await userEvent.click(await screen.findByRole('button', { name: '放大查看笺禾 集采中性笔' }))
  const large = await screen.findByRole('region', { name: /方向键切换/ })
  large.focus()
  await userEvent.keyboard('{ArrowRight}++')
  expect(screen.getByRole('heading', { name: '商品图片 2 / 2' })).toBeVisible()
  expect(screen.getByText('200%')).toBeVisible()
})

test('the customer form takes its code from the address', async () => {
  answer('get', '/api/Product/110003', detail())
  renderAt('/product/detail?code=110003', Component, '/product/detail')
  expect(await screen.findByRole('heading', { level: 1, name: '笺禾 集采中性笔' })).toBeVisible()
})

test('a question is asked, and a refused text stays in the form', async () => {
  signIn()
  show()
  const person = userEvent.setup()
  await person.click(await screen.findByRole('button', { name: '我要提问' }))
  const field = await screen.findByRole('textbox', { name: /您的问题/ })
  await person.type(field, '好吗')
  await person.click(screen.getByRole('button', { name: '提交' }))
  expect(await screen.findByText('请至少用 5 个字说明您的问题')).toBeVisible()

  refuse('post', '/api/ProductQuestion', { code: 'too_large', message: '请明天再问' })
  await person.type(field, '，能换芯吗')
  await person.click(screen.getByRole('button', { name: '提交' }))
  expect(await screen.findByText('请明天再问')).toBeVisible()
  expect(field).toHaveValue('好吗，能换芯吗')

  answer('post', '/api/ProductQuestion', {})
  await person.click(screen.getByRole('button', { name: '提交' }))
  await waitFor(() => expect(field).not.toBeInTheDocument())
  const asked = sent.filter(({ url }) => url.pathname === '/api/ProductQuestion').at(-1)?.body
  expect(asked).toEqual({ ProductCode: '110003', Text: '好吗，能换芯吗', IsPrivate: false })
})

test('questions are searched, and each shows its answer', async () => {
  show()
  await screen.findByText('还没有问答')
  answer('get', '/api/Product/110003/Questions', {
    ...NO_QUESTIONS,
    Total: 1,
    Items: [
      {
        Question: '笔芯可以换吗？',
        AskedAt: '2026-11-20T10:00:00+08:00',
        Answer: '可以换通用笔芯',
        AnsweredAt: '2026-11-21T10:00:00+08:00',
        Asker: '其他客户',
        IsOwn: false,
        IsPublic: true,
      },
    ],
  })
  const person = userEvent.setup()
  await person.type(screen.getByRole('searchbox', { name: '搜索问答' }), '笔芯{Enter}')
  expect(await screen.findByText('可以换通用笔芯')).toBeVisible()
  const query = sent.filter(({ url }) => url.pathname.endsWith('/Questions')).at(-1)
    ?.url.searchParams
  expect(query?.get('Keyword')).toBe('笔芯')
})
