import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { renderAt } from '@/test/render'
import { answer, refuse, sent } from '@/test/server'
import { signIn } from '@/test/session'
import { Component } from '.'

const row = { ProductCode: '110004', ImageUrl: '', CustomerProductName: '替代笔', CustomerPrice: '2.00', MallPrice: '2.00', Brand: '笺禾', Unit: '支', MinQuantity: 1, StepQuantity: 1, Stock: 9, IsOnSale: true }
const detail = (given: Record<string, unknown> = {}) => ({
  ...row, ProductCode: '110003', CustomerProductName: '集采中性笔', ProductName: '笺禾中性笔 0.7mm', CustomerCode: 'XL001', CustomerPrice: '1.37', MallPrice: '1.70', IsAgreementPrice: true, ModelCode: 'JH-1', Pack: '1支',
  MinQuantity: 10, StepQuantity: 5, Stock: 1340, LeadDays: 2, Images: [], PriceSource: { Code: 'A1', Name: '集采框架协议', ValidTo: '2027-11-21' }, Attributes: [{ Name: '线幅', Value: '0.7mm' }],
  SellingPoints: [], Description: '', TaxRate: '0.13', Breadcrumbs: [], IsFavorite: false, Substitutes: [], GoesWith: [], ...given,
})
const show = (given: Record<string, unknown> = {}): void => {
  answer('get', '/api/Product/110003', detail(given))
  renderAt('/110003.html', Component, '/:code.html')
}
const posted = (): unknown[] => sent.filter(({ method, url }) => method === 'POST' && url.pathname === '/api/Favorite/Add').map(({ body }) => body)

test('an agreement price says where it comes from and until when', async () => {
  show()
  expect(await screen.findByText('集采框架协议')).toBeVisible()
  expect(screen.getByText('有效期至 2027-11-21')).toBeVisible()
  expect(screen.getByText('较市场价省 19%')).toBeVisible()
})

test("the customer's own name leads; the mall's name and the material code stand beside it", async () => {
  show()
  expect(await screen.findByRole('heading', { level: 1 })).toHaveTextContent('集采中性笔')
  expect(screen.getByText('商城品名：笺禾中性笔 0.7mm')).toBeVisible()
  expect(screen.getByText('XL001')).toBeVisible()
})

test('minimum and step are said, and the quantity starts at the minimum', async () => {
  show()
  expect(await screen.findByText('10 支起订，每次增加 5 支')).toBeVisible()
  expect(screen.getByRole('textbox', { name: '集采中性笔数量' })).toHaveValue('10')
})

test('a product out of stock cannot be bought and points to what may stand in', async () => {
  show({ Stock: 0, Substitutes: [row] })
  expect(await screen.findByRole('button', { name: '暂时缺货' })).toBeDisabled()
  expect(screen.getByRole('link', { name: '看看同类可替代的 1 件商品' })).toHaveAttribute('href', '#substitutes')
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
  await waitFor(() => expect(sent.some(({ method, url }) => method === 'DELETE' && url.search === '?Type=1')).toBe(true))
})
