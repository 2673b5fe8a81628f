import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { renderAt } from '@/test/render'
import { answer, sent } from '@/test/server'
import { Component } from '.'

const product = (ProductCode: string, given: Record<string, unknown> = {}) => ({
  ProductCode,
  ImageUrl: '',
  CustomerProductName: `中性笔 ${ProductCode}`,
  CustomerCode: '',
  CustomerPrice: '1.41',
  MallPrice: '1.60',
  IsAgreementPrice: false,
  Brand: '笺禾',
  ModelCode: 'JH-1',
  Pack: '1支',
  Unit: '支',
  MinQuantity: 1,
  StepQuantity: 1,
  Stock: 1500,
  LeadDays: 2,
  SalesCount: 9,
  Rating: null,
  ReviewCount: 0,
  IsOnSale: true,
  Attributes: [],
  SellingPoints: [],
  TaxRate: '0.13',
  PriceSource: null,
  Variants: [],
  ...given,
})
const colour = (Value: string) => ({ Attributes: [{ Name: '颜色', Value }] })

test('what differs is marked, and what is the same may be left out', async () => {
  answer('get', '/api/Product/Compare', [
    product('1', colour('红色')),
    product('2', colour('黑色')),
  ])
  renderAt('/product/compare?Code=1&Code=2', Component)
  const row = await screen.findByRole('row', { name: /^颜色（不同） 红色 黑色/ })
  expect(row.className).toContain('differs')
  expect(screen.getByRole('row', { name: '品牌 笺禾 笺禾' }).className).not.toContain('differs')
  await userEvent.click(screen.getByLabelText('只看不同项'))
  expect(screen.queryByRole('row', { name: '品牌 笺禾 笺禾' })).toBeNull()
})

test('a product is taken out of the comparison and of the address', async () => {
  answer('get', '/api/Product/Compare', [product('1'), product('2')])
  const page = renderAt('/product/compare?Code=1&Code=2', Component)
  await userEvent.click(await screen.findByRole('button', { name: '移出对比：笺禾 中性笔 1' }))
  await waitFor(() => expect(page.location()).toBe('/product/compare?Code=2'))
})

test('a column shows another product of its family, unless that one has a column', async () => {
  const Variants = ['红色', '黑色', '蓝色'].map((Value, index) => ({
    ProductCode: String(index + 1),
    ImageUrl: '',
    Specs: [{ Name: '颜色', Value }],
    InStock: true,
    CustomerPrice: '1.41',
  }))
  answer('get', '/api/Product/Compare', [product('1', { Variants }), product('2', { Variants })])
  const page = renderAt('/product/compare?Code=1&Code=2', Component)
  const choice = await screen.findByRole('combobox', { name: '同款规格：笺禾 中性笔 1' })
  expect(within(choice).getByRole('option', { name: /^黑色/ })).toBeDisabled()
  await userEvent.selectOptions(choice, '3')
  await waitFor(() => expect(page.location()).toBe('/product/compare?Code=3&Code=2'))
})

test('a product that cannot be bought is an option of its own column', async () => {
  const Variants = ['2', '3'].map((ProductCode) => ({
    ProductCode,
    ImageUrl: '',
    Specs: [{ Name: '颜色', Value: `${ProductCode}号色` }],
    InStock: true,
    CustomerPrice: '1.41',
  }))
  answer('get', '/api/Product/Compare', [product('1', { Variants })])
  const page = renderAt('/product/compare?Code=1', Component)
  const choice = await screen.findByRole('combobox', { name: '同款规格：笺禾 中性笔 1' })
  expect(choice).toHaveDisplayValue('当前商品（暂时无法购买）')
  await userEvent.selectOptions(choice, '2')
  await waitFor(() => expect(page.location()).toBe('/product/compare?Code=2'))
})

test('without codes nothing is asked, and the list is offered', async () => {
  renderAt('/product/compare?Code=x', Component)
  expect(await screen.findByRole('link', { name: '去选商品' })).toHaveAttribute(
    'href',
    '/product/index',
  )
  expect(sent).toEqual([])
})

test('the lowest price is that per base unit where packs differ', async () => {
  const box = { Unit: '盒', BaseUnit: '支', Contents: 12, CustomerPrice: '15.60' }
  const single = { Unit: '支', BaseUnit: '支', Contents: 1, CustomerPrice: '1.41' }
  answer('get', '/api/Product/Compare', [
    product('1', { ...box, BaseUnitPrice: '1.30' }),
    product('2', { ...single, BaseUnitPrice: '1.41' }),
  ])
  renderAt('/product/compare?Code=1&Code=2', Component)
  await screen.findByRole('row', { name: '折合单价（不同） ¥1.30 / 支 最低 ¥1.41 / 支' })
  expect(screen.getByRole('row', { name: /^单价/ })).not.toHaveTextContent('最低')
})

test('no price is the lowest among different units without contents', async () => {
  answer('get', '/api/Product/Compare', [
    product('1', { Unit: '盒', CustomerPrice: '15.60' }),
    product('2'),
  ])
  renderAt('/product/compare?Code=1&Code=2', Component)
  await screen.findByRole('row', { name: /^单价/ })
  expect(screen.queryByText('最低')).toBeNull()
})
