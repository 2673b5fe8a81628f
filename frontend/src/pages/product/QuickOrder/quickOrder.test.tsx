import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, test } from 'vitest'
import type { QuickLine } from '@/api/schema'
import { shortage } from '@/test/fixtures'
import { renderAt } from '@/test/render'
import { answer, refuse, sent } from '@/test/server'
import { signIn } from '@/test/session'
import { Component } from '.'

const PEN = {
  ProductCode: '110001',
  ImageUrl: '',
  CustomerProductName: '中性笔',
  CustomerCode: '',
  CustomerPrice: '1.50',
  MallPrice: '1.50',
  IsAgreementPrice: false,
  Brand: '卓砚',
  ModelCode: 'ZY-1103',
  Pack: '',
  Unit: '支',
  BaseUnit: '',
  Contents: null,
  BaseUnitPrice: null,
  Tiers: [],
  MinQuantity: 1,
  StepQuantity: 1,
  Stock: 100,
  LeadDays: 1,
  IsOnSale: true,
}
const line = (given: Partial<QuickLine>): QuickLine => ({
  No: 1,
  Text: '110001 2',
  Code: '110001',
  Status: 'ready',
  Reason: '',
  Unit: '',
  Search: '',
  Remark: '',
  Asked: 2,
  Quantity: 2,
  Amount: '3.00',
  MergedInto: null,
  Notices: [],
  Problem: null,
  Product: PEN,
  Candidates: [],
  ...given,
})
const READY = line({})
const CHOOSE = line({
  No: 2,
  Text: '笔 1',
  Status: 'choose',
  Product: null,
  Quantity: 1,
  Amount: null,
  Candidates: [
    {
      ...PEN,
      ProductCode: '110002',
      CustomerProductName: '签字笔',
      Specs: [{ Name: '颜色', Value: '红色' }],
    },
  ],
})
const BAD = line({
  No: 3,
  Text: '没有 1',
  Status: 'problem',
  Product: null,
  Quantity: 1,
  Amount: null,
  Problem: {
    Code: 'not_in_catalogue',
    Message: '没有找到“没有”',
    Suggestion: '请核对编码',
    SuggestedQuantity: null,
  },
})

const recognised = (...Lines: QuickLine[]): void =>
  answer('post', '/api/Product/QuickOrder', { Lines, Summary: {} })
const show = (): ReturnType<typeof renderAt> => renderAt('/product/QuickOrder', Component)
const bodies = (path: string): unknown[] =>
  sent.filter(({ url }) => url.pathname === path).map(({ body }) => body)

async function pasted(text: string): Promise<void> {
  await userEvent.click(screen.getByRole('tab', { name: '粘贴文字' }))
  await userEvent.click(await screen.findByLabelText('粘贴商品和数量'))
  await userEvent.paste(text)
  await userEvent.click(screen.getByRole('button', { name: '识别商品' }))
}

beforeEach(() => {
  localStorage.clear()
  signIn()
  answer('get', '/api/QuickList', { Items: [], Total: 0, PageIndex: 1, PageSize: 100 })
  answer('post', '/api/Product/Search', [])
})

test('Enter goes from the code to the quantity and on to the next line', async () => {
  show()
  await userEvent.type(screen.getByLabelText('第 1 行编码或名称'), '110001{Enter}')
  expect(screen.getByLabelText('第 1 行数量')).toHaveFocus()
  await userEvent.keyboard('2{Enter}')
  await waitFor(() => expect(screen.getByLabelText('第 2 行编码或名称')).toHaveFocus())
})

test('many pasted lines fill the grid, and are sent as they stand there', async () => {
  recognised(READY)
  show()
  await userEvent.click(screen.getByLabelText('第 1 行编码或名称'))
  await userEvent.paste('110001\t2\n笔 3支\n\n120004\t5')
  expect(screen.getByLabelText('第 2 行编码或名称')).toHaveValue('笔 3支')
  expect(screen.getByLabelText('第 3 行数量')).toHaveValue('5')
  await userEvent.click(screen.getByRole('button', { name: '识别商品' }))
  await screen.findByRole('region', { name: '识别结果' })
  expect(bodies('/api/Product/QuickOrder')).toEqual([{ Text: '110001\t2\n笔 3支\n120004\t5' }])
})

test('a typed quantity is sent as it was typed, for the server to refuse', async () => {
  recognised(BAD)
  show()
  await userEvent.type(screen.getByLabelText('第 1 行编码或名称'), '110001')
  await userEvent.type(screen.getByLabelText('第 1 行数量'), '1.5')
  await userEvent.type(screen.getByLabelText('第 2 行编码或名称'), '110002')
  await userEvent.type(screen.getByLabelText('第 2 行数量'), '12345678')
  await userEvent.click(screen.getByRole('button', { name: '识别商品' }))
  await screen.findByRole('region', { name: '识别结果' })
  expect(bodies('/api/Product/QuickOrder')).toEqual([{ Text: '110001\t1.5\n110002\t12345678' }])
})

test('every line is there with its state, and a candidate is chosen in place', async () => {
  recognised(READY, CHOOSE, BAD)
  show()
  await pasted('x')
  expect(
    within(await screen.findByRole('group', { name: '第 3 行' })).getByText(
      '没有找到“没有”，请核对编码',
    ),
  ).toBeVisible()
  await userEvent.click(screen.getByRole('button', { name: '选择卓砚 签字笔 红色' }))
  expect(screen.getByRole('tab', { name: '可下单2' })).toBeVisible()
  expect(within(screen.getByRole('region', { name: '汇总' })).getByText('¥4.50')).toBeVisible()
})

test('what goes into the cart leaves the list, and the rest stays with the reason', async () => {
  recognised(
    READY,
    line({
      No: 2,
      Text: '110002 1',
      Product: { ...PEN, ProductCode: '110002', CustomerProductName: '签字笔' },
    }),
    BAD,
  )
  answer('post', '/api/Product/QuickOrder/AddToCart', {
    Added: 1,
    LeftOut: [
      {
        ProductCode: '110002',
        CustomerProductName: '签字笔',
        Brand: '卓砚',
        Message: '购物车最多放 200 种商品',
      },
    ],
  })
  show()
  await pasted('x')
  await userEvent.click(await screen.findByRole('button', { name: '全部加入购物车' }))
  expect(await screen.findByText(/已把 1 种商品加入购物车/)).toBeVisible()
  expect(screen.queryByRole('group', { name: '第 1 行' })).toBeNull()
  expect(
    within(screen.getByRole('group', { name: '第 2 行' })).getByText('购物车最多放 200 种商品'),
  ).toBeVisible()
})

test('what is refused is said, and what was pasted stays', async () => {
  refuse('post', '/api/Product/QuickOrder', {
    code: 'too_large',
    message: '一次最多识别 10,000 行，请分批提交',
  })
  show()
  await pasted('110001 2')
  expect(await screen.findByRole('alert')).toHaveTextContent('一次最多识别 10,000 行，请分批提交')
  expect(screen.getByLabelText('粘贴商品和数量')).toHaveValue('110001 2')
})

test('unfinished lines are asked for again after a reload, with every word that was written', async () => {
  const blue = line({
    Text: 'ZY1103 蓝色 2盒',
    Code: 'ZY1103',
    Status: 'choose',
    Product: null,
    Amount: null,
    Unit: '盒',
    Search: 'ZY1103 蓝色',
    Candidates: [{ ...PEN, Specs: [] }],
  })
  recognised(
    blue,
    line({ No: 2, Quantity: 5 }),
    line({
      No: 3,
      Text: '中性笔 3支',
      Status: 'merged',
      MergedInto: 2,
      Product: null,
      Quantity: 3,
      Amount: null,
    }),
  )
  const page = show()
  await pasted('x')
  await screen.findByRole('group', { name: '第 3 行' })
  await waitFor(() => expect(localStorage.getItem('quickOrder.7')).toContain('中性笔 3支'))
  page.unmount()
  recognised(blue, line({ No: 2, Quantity: 5 }))
  show()
  expect(
    within(await screen.findByRole('group', { name: '第 1 行' })).getByText('ZY1103 蓝色 2盒'),
  ).toBeVisible()
  const merged = screen.getByRole('group', { name: '第 3 行' })
  expect(within(merged).getByText('中性笔 3支')).toBeVisible()
  expect(within(merged).getByText('数量已计入第 2 行')).toBeVisible()
  expect(bodies('/api/Product/QuickOrder')[1]).toEqual({
    Lines: [
      {
        Text: 'ZY1103 蓝色 2盒',
        Code: 'ZY1103',
        Quantity: 2,
        Unit: '盒',
        Search: 'ZY1103 蓝色',
        Remark: '',
      },
      { Text: '110001 2', Code: '110001', Quantity: 5, Remark: '' },
    ],
  })
})

test('what was typed just before a reload is kept', async () => {
  show()
  await userEvent.type(screen.getByLabelText('第 1 行编码或名称'), '110001')
  globalThis.dispatchEvent(new Event('pagehide'))

  expect(localStorage.getItem('quickOrder.7')).toContain('110001')
})

test('a draft of before is still asked for', async () => {
  recognised(READY)
  localStorage.setItem(
    'quickOrder.7',
    JSON.stringify({ rows: [], pasted: '', lines: [{ Code: '110001', Quantity: 2 }] }),
  )
  show()
  await screen.findByRole('group', { name: '第 1 行' })
  expect(bodies('/api/Product/QuickOrder')).toEqual([{ Lines: [{ Code: '110001', Quantity: 2 }] }])
})

test('a line that is short is replaced by a substitute with enough pieces', async () => {
  const own = shortage({ ...PEN, Stock: 1 })
  answer('get', '/api/Product/Shortages', [own])
  recognised(
    line({
      Status: 'problem',
      Amount: null,
      Product: { ...PEN, Stock: 1 },
      Problem: {
        Code: 'stock_short',
        Message: '库存不足，仅剩 1 支',
        Suggestion: '请减少数量',
        SuggestedQuantity: 1,
      },
    }),
  )
  show()
  await pasted('110001 2')
  await userEvent.click(await screen.findByRole('button', { name: '换成卓砚 替代中性笔' }))
  const row = screen.getByRole('group', { name: '第 1 行' })
  expect(within(row).getByText('可下单')).toBeVisible()
  expect(within(row).getByText('¥15.00')).toBeVisible()
})

test('a person with 仅浏览 types no lines and reads whom to ask', async () => {
  signIn({ Purchasing: 'browse' })
  renderAt('/product/QuickOrder', Component)
  expect(await screen.findByText('您的角色不能使用快速下单')).toBeVisible()
  expect(screen.queryByRole('tab', { name: '逐行录入' })).toBeNull()
})
