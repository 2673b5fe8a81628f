import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { delay, http, HttpResponse } from 'msw'
import { beforeEach, expect, test } from 'vitest'
import { cartLine, cartOf, previewOf, shortage } from '@/test/fixtures'
import { renderAt } from '@/test/render'
import { answer, refuse, sent, server } from '@/test/server'
import { signIn } from '@/test/session'
import { Component } from '.'

const short = cartLine({
  Id: '2',
  CustomerProductName: '硒鼓',
  Valid: false,
  Amount: null,
  Selected: false,
  Quantity: 9,
  Problem: {
    Code: 'stock_short',
    Message: '库存不足，仅剩 4 盒',
    Suggestion: '请减少数量',
    SuggestedQuantity: 4,
  },
})

const show = (): ReturnType<typeof renderAt> => renderAt('/shop/cart', Component)
const wrote = (method: string) =>
  sent.filter((call) => call.method === method).map(({ body }) => body)

beforeEach(() => {
  signIn()
  answer('post', '/api/Order/Preview', previewOf())
  answer('get', '/api/ShoppingCart', cartOf(cartLine()))
  answer('post', '/api/ShoppingCart/Count', 1)
  answer('get', '/api/Product/Shortages', [])
})

test('a line shows its price, the dearer market price and its sum', async () => {
  show()
  await screen.findByRole('link', { name: '采优选 签字笔' })
  expect(screen.getByLabelText('市场价 ¥12.00')).toBeVisible()
  expect(screen.getAllByText('¥20.00')).toHaveLength(2)
})

test.each([
  ['12.50', '比加入时降 ¥2.50'],
  ['9.20', '比加入时涨 ¥0.80'],
])('a price that moved since the line was put at %s says %s', async (AddedPrice, text) => {
  answer('get', '/api/ShoppingCart', cartOf(cartLine({ AddedPrice })))
  show()
  expect(await screen.findByText(text)).toBeVisible()
})

test.each(['10.00', null])('a line put at %s says nothing of a move', async (AddedPrice) => {
  answer('get', '/api/ShoppingCart', cartOf(cartLine({ AddedPrice })))
  show()
  await screen.findByRole('link', { name: '采优选 签字笔' })
  expect(screen.queryByText(/比加入时/)).toBeNull()
})

test('unticking a line shows at once and is told to the server', async () => {
  answer('post', '/api/ShoppingCart/Select', cartOf(cartLine({ Selected: false })))
  show()
  await userEvent.click(await screen.findByRole('checkbox', { name: '选择采优选 签字笔' }))
  expect(screen.getByText('¥0.00')).toBeVisible()
  await waitFor(() =>
    expect(sent.find(({ url }) => url.pathname.endsWith('/Select'))?.body).toEqual({
      Ids: ['1'],
      Selected: false,
    }),
  )
})

test('without a ticked line there is no way to checkout', async () => {
  answer('get', '/api/ShoppingCart', cartOf(cartLine({ Selected: false })))
  show()
  expect(await screen.findByRole('button', { name: '去结算' })).toBeDisabled()
})

test('a stepped quantity shows its sum before the server has answered', async () => {
  answer('patch', '/api/ShoppingCart/{ItemId}', cartOf(cartLine({ Quantity: 3, Amount: '30.00' })))
  show()
  await userEvent.click(await screen.findByRole('button', { name: '增加' }))
  expect(screen.getAllByText('¥30.00').length).toBeGreaterThan(0)
  await waitFor(() => expect(wrote('PATCH')).toEqual([{ Quantity: 3 }]))
})

test('two quick steps go one after the other, and the last one stays', async () => {
  const asked: number[] = []
  const releases: (() => void)[] = []
  server.use(
    http.patch('/api/ShoppingCart/:id', async ({ request }) => {
      const body = (await request.json()) as { Quantity: number }
      asked.push(body.Quantity)
      await new Promise<void>((release) => {
        releases.push(release)
      })
      return HttpResponse.json({ MsgHeader: { Success: true }, MsgBody: cartOf(cartLine(body)) })
    }),
  )
  show()
  const more = await screen.findByRole('button', { name: '增加' })
  await userEvent.click(more)
  await userEvent.click(more)
  const quantity = screen.getByRole('textbox', { name: '采优选 签字笔的数量' })
  expect(quantity).toHaveValue('4')
  await waitFor(() => expect(asked).toEqual([3]))
  releases[0]!()
  // The second step is sent when the first answer has been read.
  await waitFor(() => expect(asked).toEqual([3, 4]))
  expect(quantity).toHaveValue('4')
  releases[1]!()
})

test('a line that cannot be bought stands apart with the reason', async () => {
  answer('get', '/api/ShoppingCart', cartOf(cartLine(), short))
  show()
  const apart = await screen.findByRole('region', { name: '需要处理的商品' })
  expect(within(apart).getByRole('status')).toHaveTextContent('库存不足，仅剩 4 盒请减少数量')
})

test('the mend of a line is one click', async () => {
  answer('get', '/api/ShoppingCart', cartOf(short))
  answer('patch', '/api/ShoppingCart/{ItemId}', cartOf(cartLine({ Id: '2', Quantity: 4 })))
  show()
  await userEvent.click(await screen.findByRole('button', { name: '改为 4 盒' }))
  await waitFor(() => expect(wrote('PATCH')).toEqual([{ Quantity: 4 }]))
  await waitFor(() => expect(screen.queryByRole('region', { name: '需要处理的商品' })).toBeNull())
})

test('removing asks first', async () => {
  answer('post', '/api/ShoppingCart/Remove', cartOf())
  show()
  await userEvent.click(await screen.findByRole('button', { name: '移除' }))
  expect(sent.some(({ url }) => url.pathname.endsWith('/Remove'))).toBe(false)
  await userEvent.click(
    within(screen.getByRole('dialog', { name: '移除商品' })).getByRole('button', { name: '移除' }),
  )
  expect(await screen.findByText('购物车还是空的')).toBeVisible()
  expect(sent.find(({ url }) => url.pathname.endsWith('/Remove'))?.body).toEqual({ Ids: ['1'] })
})

test('whether it needs approval, and what the budget will have left, is said before checkout', async () => {
  answer(
    'post',
    '/api/Order/Preview',
    previewOf({
      Approval: {
        Needed: true,
        Reasons: ['金额'],
        Chain: [
          {
            Step: 1,
            RuleName: '',
            Mode: 'any',
            Approvers: [{ Id: '8', Name: '周主任' }],
            Skipped: [],
            IsForStaff: false,
            Note: '',
          },
        ],
      },
    }),
  )
  show()
  expect(await screen.findByText('需要审批，由 周主任 先审')).toBeVisible()
  expect(screen.getByText('行政部预算：下单后剩余 ¥80.00')).toBeVisible()
})

test('a budget that refuses the order is said in the cart, in place of the approval', async () => {
  const Message = '预算“行政部预算”已用完，本单需要 ¥20.00，请减少采购金额或联系管理员调整额度'
  answer(
    'post',
    '/api/Order/Preview',
    previewOf({
      Problems: [
        {
          CartItemId: null,
          Code: 'budget_exceeded',
          Message,
          Field: 'BudgetId',
          SuggestedQuantity: null,
          IsRefusal: true,
        },
      ],
    }),
  )
  show()
  expect(await screen.findByRole('alert')).toHaveTextContent(Message)
  expect(screen.queryByText('无需审批，提交后直接处理')).toBeNull()
})

test('a line that another tab has removed goes, and nothing breaks', async () => {
  refuse('patch', '/api/ShoppingCart/{ItemId}', {
    code: 'not_found',
    message: '该商品已不在购物车中',
    status: 404,
  })
  show()
  const more = await screen.findByRole('button', { name: '增加' })
  answer('get', '/api/ShoppingCart', cartOf())
  await userEvent.click(more)
  expect(await screen.findByText('购物车还是空的')).toBeVisible()
})

test('a cart that cannot be loaded offers another try', async () => {
  refuse('get', '/api/ShoppingCart', { status: 500 })
  show()
  expect(await screen.findByText('服务器故障')).toBeVisible()
  answer('get', '/api/ShoppingCart', cartOf(cartLine()))
  await userEvent.click(screen.getByRole('button', { name: '重新加载' }))
  expect(await screen.findByRole('link', { name: '采优选 签字笔' })).toBeVisible()
})

test('a person who may only request submits the cart as a requisition, on a kept cost centre', async () => {
  signIn({ Purchasing: 'request' })
  const centers = [1, 2].map((n) => ({ Id: `9${n}`, Code: `CC-${n}`, Name: `${n}部` }))
  answer('get', '/api/Dimension/Choices', [
    { Kind: 'cost_center', KindText: '成本中心', IsKept: true, Default: null, Items: centers },
  ])
  answer('post', '/api/Requisition', { RequisitionNo: 'PR1' })
  show()
  const bar = await screen.findByRole('region', { name: '结算' })
  expect(within(bar).getByText('您的角色仅可提交采购申请，由采购人员下单')).toBeVisible()
  expect(within(bar).queryByRole('link', { name: '去结算' })).toBeNull()
  await userEvent.click(within(bar).getByRole('button', { name: '提交采购申请' }))
  const dialog = await screen.findByRole('dialog', { name: '提交采购申请' })
  const select = await within(dialog).findByRole('combobox', { name: '成本中心' })
  await userEvent.selectOptions(select, 'CC-2 2部')
  await userEvent.click(within(dialog).getByRole('button', { name: '提交申请' }))
  await waitFor(() =>
    expect(wrote('POST')).toContainEqual({ Items: ['1'], CostCenter: 'CC-2', Reason: '' }),
  )
  expect(sent.some(({ url }) => url.pathname === '/api/Order/Preview')).toBe(false)
})

test('a person who may only browse neither requests nor orders', async () => {
  signIn({ Purchasing: 'browse' })
  show()
  const bar = await screen.findByRole('region', { name: '结算' })
  expect(within(bar).getByText('您的角色仅可浏览商品，不能提交申请或下单')).toBeVisible()
  expect(within(bar).queryByRole('button', { name: /申请|去结算/ })).toBeNull()
})

test('a person who may only browse reads why the cart is empty', async () => {
  signIn({ Purchasing: 'browse' })
  answer('get', '/api/ShoppingCart', cartOf())
  show()
  expect(await screen.findByText(/您的角色仅可浏览商品，不能加入购物车/)).toBeVisible()
  expect(screen.getByRole('link', { name: '浏览全部商品' })).toBeVisible()
  expect(screen.queryByRole('link', { name: '按编码快速下单' })).toBeNull()
})

const tiered = cartLine({
  Quantity: 7,
  Amount: '70.00',
  Tiers: [{ Quantity: 10, Price: '9.00', BaseUnitPrice: null }],
  NextTier: { Quantity: 10, More: 3, Price: '9.00', Saving: '10.00' },
})

test('a line says what the next tier saves, and a click takes it', async () => {
  answer('get', '/api/ShoppingCart', cartOf(tiered))
  answer('patch', '/api/ShoppingCart/{ItemId}', cartOf(tiered))
  show()
  await userEvent.click(
    await screen.findByRole('button', { name: '再买 3 盒，每盒 ¥9.00，省 ¥10.00' }),
  )
  await waitFor(() => expect(wrote('PATCH')).toEqual([{ Quantity: 10 }]))
})

test('the sum follows the tier before the server answers', async () => {
  answer('get', '/api/ShoppingCart', cartOf(tiered))
  server.use(http.patch('/api/ShoppingCart/:id', () => delay('infinite')))
  show()
  await userEvent.click(await screen.findByRole('button', { name: /再买 3 盒/ }))
  expect(await screen.findAllByText('¥90.00')).toHaveLength(2)
})

test('a lower price by a tier is no move of the price', async () => {
  const line = cartLine({ ...tiered, Quantity: 10, CustomerPrice: '9.00', NextTier: null })
  answer('get', '/api/ShoppingCart', cartOf(line))
  show()
  await screen.findByRole('link', { name: '采优选 签字笔' })
  expect(screen.queryByText(/比加入时/)).toBeNull()
})

test('a short line offers a reminder and substitutes, and one replaces it', async () => {
  answer('get', '/api/ShoppingCart', cartOf(short, { ...short, Id: '3', ProductCode: '110009' }))
  const own = shortage({ ProductCode: short.ProductCode, CustomerProductName: '硒鼓', Stock: 4 })
  answer('get', '/api/Product/Shortages', [own])
  answer('post', `/api/ShoppingCart/${short.Id}/Replace`, cartOf(cartLine()))
  show()
  const help = await screen.findByRole('region', { name: '卓砚 硒鼓的替代办法' })
  expect(help).toHaveTextContent('预计 2026-12-01 到货 200 盒')
  expect(help).toHaveTextContent('包装规格 36支/盒（本品 12支/盒）')
  expect(within(help).getByRole('button', { name: '到货提醒' })).toBeEnabled()
  const asked = sent.filter(({ url }) => url.pathname === '/api/Product/Shortages')
  expect(asked.map(({ url }) => url.searchParams.getAll('Item'))).toEqual([
    [`${short.ProductCode}:9`, '110009:9'],
  ])

  await userEvent.click(within(help).getByRole('button', { name: '换成卓砚 替代硒鼓' }))
  await waitFor(() =>
    expect(wrote('POST')).toEqual(
      expect.arrayContaining([{ ProductCode: '110077', Quantity: 10 }]),
    ),
  )
})

test('the selected lines are saved as a list, and the cart stays', async () => {
  const gone = { ...short, Selected: true }
  answer('get', '/api/ShoppingCart', cartOf(cartLine(), gone))
  answer('post', '/api/QuickList', null)
  show()
  await userEvent.click(await screen.findByRole('button', { name: '保存为清单' }))
  await userEvent.type(await screen.findByLabelText(/清单名称/), '前台补货')
  await userEvent.click(screen.getByRole('button', { name: '保存' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  const { ProductCode, Quantity } = cartLine()
  expect(sent.find(({ url }) => url.pathname === '/api/QuickList')?.body).toEqual({
    Name: '前台补货',
    Items: [{ ProductCode, Quantity }],
  })
})
