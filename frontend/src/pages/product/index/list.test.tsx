import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { renderAt } from '@/test/render'
import { answer, refuse, sent } from '@/test/server'
import { signIn } from '@/test/session'
import { Component } from '.'
import { readState, toQuery, withValues } from './query'

const row = (ProductCode: string) => ({
  ProductCode, ImageUrl: '', CustomerProductName: `中性笔 ${ProductCode}`, CustomerCode: '', CustomerPrice: '1.41', MallPrice: '1.60', IsAgreementPrice: true, Brand: '笺禾', ModelCode: 'JH-1',
  Pack: '1支', Unit: '支', MinQuantity: 10, StepQuantity: 10, Stock: 1500, LeadDays: 2, SalesCount: 9, IsOnSale: true,
})
const page = {
  Items: [row('110003')], Total: 1, TotalIsCapped: false, PageIndex: 1, PageSize: 20, Breadcrumbs: [],
  Facets: { Categories: [], Brands: [{ BrandId: '2', Name: '笺禾', Count: 7 }, { BrandId: '3', Name: '卓砚', Count: 5 }], Attributes: [], Prices: [] },
}
const asked = (): string | undefined => sent.filter(({ url }) => url.pathname === '/api/Product').at(-1)?.url.search

test('an address becomes a question; nonsense in it is left out', () => {
  const state = readState(new URLSearchParams('Keyword= 笔 &Cid=abc&MinPrice=x&MaxPrice=9.5&InStock=1&Attr=nonsense&Attr=颜色:黑&View=table'))
  expect(toQuery(state)).toEqual({ Keyword: '笔', MaxPrice: '9.5', InStock: '1', Attr: ['颜色:黑'], PageIndex: 1, PageSize: 20 })
})

test('values of one attribute are replaced, the others stay', () => {
  expect(withValues(['颜色:黑', '线幅:0.5'], '颜色', ['红', '蓝'])).toEqual(['线幅:0.5', '颜色:红', '颜色:蓝'])
})

test('a brand is chosen by a click and lives in the address, back on page 1', async () => {
  answer('get', '/api/Product', page)
  const list = renderAt('/product/index?Keyword=笔&PageIndex=3', Component)
  await userEvent.click(await screen.findByRole('button', { name: /^笺禾/ }))
  await waitFor(() => expect(new URLSearchParams(list.location().split('?')[1]).getAll('Brand')).toEqual(['2']))
  await waitFor(() => expect(new URLSearchParams(asked()).getAll('Brand')).toEqual(['2']))
  expect(new URLSearchParams(asked()).get('PageIndex')).toBe('1')
})

test('多选 takes several brands at once', async () => {
  answer('get', '/api/Product', page)
  const list = renderAt('/product/index', Component)
  await userEvent.click(await screen.findByRole('button', { name: '多选' }))
  await userEvent.click(screen.getByLabelText('笺禾'))
  await userEvent.click(screen.getByLabelText('卓砚'))
  await userEvent.click(screen.getAllByRole('button', { name: '确定' })[0]!)
  await waitFor(() => expect(new URLSearchParams(list.location().split('?')[1]).getAll('Brand')).toEqual(['2', '3']))
})

test('a product goes into the cart in place, with a legal quantity', async () => {
  signIn()
  answer('get', '/api/Product', page)
  answer('post', '/api/ShoppingCart/AddToCart', null)
  renderAt('/product/index', Component)
  const quantity = await screen.findByRole('textbox', { name: '中性笔 110003数量' })
  await userEvent.clear(quantity)
  await userEvent.type(quantity, '25{Enter}')
  await userEvent.click(screen.getByRole('button', { name: '加入购物车' }))
  await waitFor(() => expect(sent.at(-1)?.body).toEqual({ Items: [{ ProductCode: '110003', Quantity: 30 }] }))
})

test('nothing found says so and offers a way on', async () => {
  answer('get', '/api/Product', { ...page, Items: [], Total: 0 })
  renderAt('/product/index?Keyword=无此物', Component)
  expect(await screen.findByText('没有找到与“无此物”相关的商品')).toBeVisible()
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
    const box = await screen.findByRole('textbox', { name: `中性笔 ${code}数量` })
    await userEvent.clear(box)
    await userEvent.type(box, `${quantity}{Enter}`)
  }
  await type('110003', '25')
  await type('110005', '40')
  const bar = screen.getByRole('region', { name: '批量加入购物车' })
  expect(bar).toHaveTextContent('已选 2 种')
  expect(bar).toHaveTextContent('¥98.70')
  await userEvent.click(screen.getByRole('button', { name: '批量加入购物车' }))
  await waitFor(() => expect(sent.at(-1)?.body).toEqual({ Items: [{ ProductCode: '110003', Quantity: 30 }, { ProductCode: '110005', Quantity: 40 }] }))
  await waitFor(() => expect(screen.queryByRole('region', { name: '批量加入购物车' })).toBeNull())
})

test('attributes are offered once a keyword or a category narrows the list', async () => {
  answer('get', '/api/Product', { ...page, Facets: { ...page.Facets, Attributes: [{ Name: '颜色', Values: [{ Value: '黑', Count: 3 }] }] } })
  renderAt('/product/index', Component)
  await screen.findByRole('group', { name: '品牌' })
  expect(screen.queryByRole('group', { name: '颜色' })).toBeNull()
})

test('a search that was understood otherwise says by which word', async () => {
  answer('get', '/api/Product', { ...page, Understood: '中性笔' })
  renderAt('/product/index?Keyword=zxb', Component)
  expect(await screen.findByRole('status')).toHaveTextContent('没有与“zxb”完全匹配的商品，已按“中性笔”为您搜索')
})

test('a category without children shows its siblings, itself marked', async () => {
  const Categories = [{ CategoryId: '34', Name: '中性水性笔', Level: 2, ParentId: '1', Count: 76 }, { CategoryId: '35', Name: '圆珠钢笔', Level: 2, ParentId: '1', Count: 33 }]
  answer('get', '/api/Product', { ...page, Breadcrumbs: [{ CategoryId: '1', Name: '书写修正' }, { CategoryId: '34', Name: '中性水性笔' }], Facets: { ...page.Facets, Categories } })
  renderAt('/product/index?Cid=34', Component)
  expect(await screen.findByRole('button', { name: /^中性水性笔/ })).toHaveAttribute('aria-pressed', 'true')
  expect(screen.getByRole('button', { name: /^圆珠钢笔/ })).toHaveAttribute('aria-pressed', 'false')
})
