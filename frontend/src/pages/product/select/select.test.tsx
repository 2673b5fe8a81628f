import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, test } from 'vitest'
import type { Candidate, Selection, SelectItem, SelectScenario } from '@/api/schema'
import { renderAt } from '@/test/render'
import { answer, refuse, sent } from '@/test/server'
import { signIn } from '@/test/session'
import { Component } from '.'
import { getForm, findMistakes, toBody } from './form'
import { amountOf, cartItems, replaceProducts, totalOf, type Line } from './lines'

const product = (
  ProductCode: string,
  CustomerPrice: string,
  given: Partial<Candidate> = {},
): Candidate => ({
  ProductCode,
  ImageUrl: '',
  CustomerProductName: `商品 ${ProductCode}`,
  CustomerCode: '',
  CustomerPrice,
  MallPrice: CustomerPrice,
  IsAgreementPrice: false,
  Brand: '墨岚',
  ModelCode: '',
  Pack: '1支',
  Unit: '支',
  BaseUnit: '',
  Contents: null,
  BaseUnitPrice: null,
  Tiers: [],
  MinQuantity: 10,
  StepQuantity: 10,
  Stock: 500,
  LeadDays: 1,
  SalesCount: 1,
  Rating: null,
  ReviewCount: 0,
  IsOnSale: true,
  Score: 80,
  Reasons: [{ Code: 'own_history', Text: '您一年内买过 3 次' }],
  Quantity: 30,
  Amount: '60.00',
  PiecesPerUnit: 1,
  Note: '',
  ...given,
})
const pen = product('1', '2.00')
const other = product('2', '5.00', { Quantity: 20, Amount: '100.00' })
const item: SelectItem = {
  No: 1,
  Text: '中性笔',
  Words: '中性笔',
  Quantity: 24,
  Unit: '支',
  MaxPrice: null,
  Status: 'matched',
  Message: '',
  Near: [],
  Candidates: [pen, other],
  Chosen: { ProductCode: '1', Quantity: 30, Amount: '60.00' },
}
const plan = (
  Goal: 'best' | 'cheaper',
  Total: string,
  Difference: string,
): Selection['Plans'][number] => ({
  Goal,
  Name: Goal === 'best' ? '推荐方案' : '更省',
  Aim: '综合',
  Lines: [{ Item: 1, ProductCode: '1', Quantity: 30, Amount: '60.00', Product: pen }],
  Goods: '60.00',
  Freight: '0.00',
  Total,
  Left: '30.00',
  Brands: ['墨岚'],
  IsSame: false,
  Difference,
  Changed: [],
})
const solved: Selection = {
  Items: [item],
  Totals: { Lines: 1, Chosen: 1, Amount: '60.00' },
  Plans: [plan('best', '60.00', ''), plan('cheaper', '50.00', '比推荐方案省 ¥10.00')],
  Message: '',
  NeededBudget: null,
  Drop: [],
}
const scenario: SelectScenario = {
  Code: 'kit',
  Name: '入职礼包',
  Hint: '每人一份',
  HeadsName: '新员工人数',
  HeadCount: 12,
  Budget: '90.00',
  Kinds: [
    { Name: '中性笔', Unit: '支', PerHead: '2.000', Fixed: 0, IsDefault: true, Available: true },
    { Name: '保温杯', Unit: '个', PerHead: '1.000', Fixed: 0, IsDefault: true, Available: false },
  ],
}

beforeEach(() => {
  window.sessionStorage.clear()
  signIn()
  answer('get', '/api/Product/SelectScenario', [scenario])
})

test('the quantity of a line decides its tier', () => {
  const tiered = product('1', '2.00', {
    Tiers: [{ Quantity: 40, Price: '1.50', BaseUnitPrice: null }],
  })

  const amounts = [30, 40].map((quantity) => amountOf({ item: 1, product: tiered, quantity }))

  expect(amounts).toEqual(['60.00', '60.00'])
})

test('a scenario asks for the kinds that are ticked and that the catalogue has', () => {
  expect(toBody({ ...getForm(scenario), exclude: '采优选，玻璃' })).toEqual({
    Scenario: {
      Code: 'kit',
      HeadCount: 12,
      Budget: '90',
      Kinds: [{ Name: '中性笔', PerHead: '2', Fixed: 0 }],
      Exclude: ['采优选', '玻璃'],
    },
  })
})

test.each([
  [{ heads: '0' }, 'heads'],
  [{ heads: '1.5' }, 'heads'],
  [{ heads: '100001' }, 'heads'],
  [{ budget: '0' }, 'budget'],
  [{ budget: '-1' }, 'budget'],
  [{ budget: '1.234' }, 'budget'],
  [{ kinds: [] }, 'kinds'],
])('what cannot be asked is said at its field: %o', (given, field) => {
  expect(Object.keys(findMistakes({ ...getForm(scenario), ...given }))).toEqual([field])
})

test('another product takes the line in the quantity that serves, and the cart gets each product once', () => {
  const lines: Line[] = [
    { item: 1, product: pen, quantity: 30 },
    { item: 2, product: pen, quantity: 10 },
  ]
  expect(totalOf(replaceProducts(lines, 1, other))).toBe('120.00')
  expect(cartItems(lines)).toEqual([{ ProductCode: '1', Quantity: 40 }])
})

test('baskets stand side by side; a quantity that goes over the budget says by how much', async () => {
  answer('post', '/api/Product/Select', solved)
  renderAt('/product/select', Component)
  await userEvent.click(await screen.findByRole('button', { name: '生成方案' }))
  expect(await screen.findByRole('radio', { name: /更省.*比推荐方案省 ¥10.00/ })).not.toBeChecked()
  const foot = screen.getByRole('region', { name: '合计' })
  expect(foot).toHaveTextContent('剩余 ¥30.00')
  const quantity = screen.getByRole('textbox', { name: '墨岚 商品 1数量' })
  await userEvent.clear(quantity)
  await userEvent.type(quantity, '51{Enter}')
  expect(foot).toHaveTextContent('超出 ¥30.00')
})

test('once something else is written, the baskets are said to be those of before', async () => {
  answer('post', '/api/Product/Select', solved)
  renderAt('/product/select', Component)
  await userEvent.click(await screen.findByRole('button', { name: '生成方案' }))
  await screen.findByRole('region', { name: '合计' })
  expect(screen.queryByText(/条件已修改/)).toBeNull()
  const heads = screen.getByRole('textbox', { name: '新员工人数' })
  await userEvent.clear(heads)
  await userEvent.type(heads, '0')
  await userEvent.click(screen.getByRole('button', { name: '生成方案' }))
  expect(
    screen.getByText(
      '条件已修改，下面是按修改前的条件（12 人、预算 ¥90.00）得出的结果，重新生成后更新',
    ),
  ).toBeVisible()
})

test('a chosen line has its score beside its reasons', async () => {
  answer('post', '/api/Product/Select', solved)
  renderAt('/product/select?Way=list', Component)
  await userEvent.type(await screen.findByLabelText(/^清单：/), '中性笔')
  await userEvent.click(screen.getByRole('button', { name: '开始选品' }))
  const row = await screen.findByRole('listitem', { name: '中性笔' })
  expect(within(row).getByText('80 分')).toBeVisible()
})

test('a budget that does not reach offers what would do', async () => {
  answer('post', '/api/Product/Select', {
    ...solved,
    Plans: [],
    Message: '这些品类最低需要 ¥163.20（含运费），超出预算',
    NeededBudget: '163.20',
    Drop: ['中性笔'],
  })
  renderAt('/product/select', Component)
  await userEvent.click(await screen.findByRole('button', { name: '生成方案' }))
  await userEvent.click(await screen.findByRole('button', { name: '把预算提高到 ¥164.00' }))
  expect(
    sent.filter(({ url }) => url.pathname === '/api/Product/Select').at(-1)?.body,
  ).toMatchObject({ Scenario: { Budget: '164' } })
})

test('a refused list is said in place and what was typed stays', async () => {
  refuse('post', '/api/Product/Select', {
    code: 'too_large',
    message: '清单共 201 行，一次最多选品 200 行，请拆分后分次选品',
  })
  renderAt('/product/select?Way=list', Component)
  await userEvent.type(await screen.findByLabelText(/^清单：/), '中性笔 20支')
  await userEvent.click(screen.getByRole('button', { name: '开始选品' }))
  expect(await screen.findByRole('alert')).toHaveTextContent('一次最多选品 200 行')
  expect(screen.getByLabelText(/^清单：/)).toHaveValue('中性笔 20支')
})

test('a line without a product shows its candidates, and one is chosen by a click', async () => {
  answer('post', '/api/Product/Select', {
    ...solved,
    Plans: [],
    Items: [{ ...item, Chosen: null, Status: 'none', Message: '没有找到' }],
    Totals: { Lines: 1, Chosen: 0, Amount: '0.00' },
  })
  renderAt('/product/select?Way=list', Component)
  await userEvent.type(await screen.findByLabelText(/^清单：/), '笔')
  await userEvent.click(screen.getByRole('button', { name: '开始选品' }))
  const row = await screen.findByRole('listitem', { name: '中性笔' })
  await userEvent.click(within(row).getByRole('button', { name: '选用墨岚 商品 2' }))
  expect(screen.getByRole('region', { name: '合计' })).toHaveTextContent('¥100.00')
})

test('a wish without a hit leads to the inquiry, with what was wished', async () => {
  const lost: SelectItem = {
    ...item,
    Text: '石墨烯 3个',
    Words: '石墨烯',
    Quantity: 3,
    Status: 'none',
    Message: '没有找到“石墨烯”，请换一种说法，或发起意向商品询价',
    Candidates: [],
    Chosen: null,
  }
  answer('post', '/api/Product/Select', {
    ...solved,
    Items: [lost],
    Plans: [],
    Totals: { Lines: 1, Chosen: 0, Amount: '0.00' },
  })
  renderAt('/product/select?Way=list', Component)
  await userEvent.type(await screen.findByLabelText(/^清单：/), '石墨烯 3个')
  await userEvent.click(screen.getByRole('button', { name: '开始选品' }))
  expect(await screen.findByRole('link', { name: '发起意向商品询价' })).toHaveAttribute(
    'href',
    '/userCenter/order/productInquiry/apply?keyword=%E7%9F%B3%E5%A2%A8%E7%83%AF&quantity=3',
  )
})
