import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { http, HttpResponse } from 'msw'
import { beforeEach, expect, test } from 'vitest'
import { addressRow, cartLine, cartOf, pageOf, previewLine, previewOf } from '@/test/fixtures'
import { renderAt } from '@/test/render'
import { answer, refuse, sent, server } from '@/test/server'
import { signIn } from '@/test/session'
import { Component } from '.'

const SUBMITTED = {
  OrderNo: 'SO1',
  Status: 'pending_confirm',
  StatusText: '待确认',
  Total: '20.00',
  PaymentKind: 'credit',
}
const NEEDED = {
  Needed: true,
  Reasons: ['订单金额 ¥2,600.00 达到 ¥2,000.00（部门负责人审批）'],
  Chain: [
    {
      Step: 1,
      RuleName: '部门负责人审批',
      Mode: 'all',
      Approvers: [
        { Id: '8', Name: '周主任' },
        { Id: '9', Name: '冯工' },
      ],
      Skipped: [{ Id: '7', Name: '张采购', Why: '申请人不能审批自己的订单' }],
      IsForStaff: false,
      Note: '',
    },
    {
      Step: 2,
      RuleName: '专项审批',
      Mode: 'any',
      Approvers: [],
      Skipped: [],
      IsForStaff: true,
      Note: '没有可用的审批人，由平台客服审批',
    },
  ],
}
const SHORT = {
  CartItemId: '1',
  Code: 'stock_short',
  Message: '“签字笔”库存不足，请减少数量',
  Field: '',
  SuggestedQuantity: 1,
  IsRefusal: false,
}

const show = (): ReturnType<typeof renderAt> => renderAt('/shop/submit', Component)
const orders = () =>
  sent.filter(({ method, url }) => method === 'POST' && url.pathname === '/api/Order')
const submit = async (): Promise<void> =>
  userEvent.click(await screen.findByRole('button', { name: '提交订单' }))

beforeEach(() => {
  signIn()
  answer('post', '/api/Order/Preview', previewOf())
  answer('get', '/api/Dimension/Choices', [])
  answer('get', '/api/Address', pageOf(addressRow()))
  answer('get', '/api/Address/Region', [])
  answer('post', '/api/ShoppingCart/Count', 1)
})

test('who approves, in which order, is shown with the reasons before submit', async () => {
  answer('post', '/api/Order/Preview', previewOf({ Approval: NEEDED }))
  show()
  const approval = await screen.findByRole('region', { name: '审批' })
  expect(within(approval).getByText(NEEDED.Reasons[0] ?? '')).toBeVisible()
  expect(
    within(approval)
      .getAllByRole('listitem')
      .slice(1)
      .map((item) => item.textContent),
  ).toEqual([
    '1周主任、冯工全部同意部门负责人审批张采购：申请人不能审批自己的订单',
    '2平台客服专项审批没有可用的审批人，由平台客服审批',
    '客服确认并发货审批全部通过后',
  ])
})

test('an order that needs approval is submitted for approval', async () => {
  answer('post', '/api/Order/Preview', previewOf({ Approval: NEEDED }))
  show()
  expect(await screen.findByRole('button', { name: '提交审批' })).toBeEnabled()
})

test('the budget is shown before and after', async () => {
  show()
  const budget = await screen.findByRole('region', { name: '预算' })
  expect(budget).toHaveTextContent('下单前可用¥100.00本单占用¥20.00下单后剩余¥80.00')
})

test('a budget that is exceeded says by how much and what follows', async () => {
  const charged = {
    Id: '9',
    Name: '行政部预算',
    Policy: 'approve',
    Available: '10.00',
    After: '-10.00',
    IsOver: true,
    State: 'full' as const,
    Parents: [],
  }
  answer('post', '/api/Order/Preview', previewOf({ Budget: charged }))
  show()
  const budget = await screen.findByRole('region', { name: '预算' })
  expect(budget).toHaveTextContent('超出¥10.00')
  expect(within(budget).getByText('超出预算，需要审批')).toBeVisible()
})

test('earmarked budgets that lines use are named with what they keep', async () => {
  const row = {
    Id: '1',
    Name: '用纸专项',
    Policy: 'block',
    EarmarkText: '类目“办公用纸”',
    UsedName: '',
    Taken: '20.00',
    Available: '90.00',
    After: '70.00',
    IsOver: false,
  }
  const parent = {
    ...row,
    Id: '2',
    Name: '大类专项',
    Policy: 'approve',
    UsedName: '用纸专项',
    After: '-5.00',
    IsOver: true,
  }
  answer('post', '/api/Order/Preview', previewOf({ Budget: null, Earmarks: [row, parent] }))
  show()
  const list = await screen.findByRole('list', { name: '专项预算' })
  expect(
    within(list)
      .getAllByRole('listitem')
      .map(({ textContent }) => textContent),
  ).toEqual([
    '专项“用纸专项”类目“办公用纸” · 可用 ¥90.00 · 本单计入 ¥20.00下单后剩余 ¥70.00',
    '上级专项“大类专项”类目“办公用纸” · 可用 ¥90.00 · 本单计入 ¥20.00超出 ¥5.00，需要审批',
  ])
})

test('an order that a budget refuses shows the refusal and the ways on, and no approval', async () => {
  HTMLElement.prototype.scrollIntoView = () => undefined
  const refusal = {
    CartItemId: null,
    Code: 'budget_exceeded',
    Message:
      '预算“行政部预算”已用完，本单需要 ¥20.00，请减少采购金额、更换预算或联系管理员调整额度',
    Field: 'BudgetId',
    SuggestedQuantity: null,
    IsRefusal: true,
  }
  const charged = {
    Id: '9',
    Name: '行政部预算',
    Policy: 'block',
    Available: '0.00',
    After: '-20.00',
    IsOver: true,
    State: 'full' as const,
    Parents: [],
  }
  const Budgets = [
    { Id: '9', Name: '行政部预算', Policy: 'block', Available: '0.00' },
    { Id: '8', Name: '企业预算', Policy: 'warn', Available: '500.00' },
  ]
  answer('post', '/api/Order/Preview', previewOf({ Budget: charged, Budgets, Problems: [refusal] }))
  show()
  const refused = await screen.findByRole('region', { name: '不能提交' })
  expect(within(refused).getByText(refusal.Message)).toBeVisible()
  expect(within(refused).getByRole('link', { name: '返回购物车减少商品' })).toHaveAttribute(
    'href',
    '/shop/cart',
  )
  expect(screen.queryByRole('region', { name: '审批' })).toBeNull()
  expect(screen.queryByRole('button', { name: '提交审批' })).toBeNull()
  expect(screen.getByRole('button', { name: '提交订单' })).toBeDisabled()
  await userEvent.click(within(refused).getByRole('button', { name: '更换预算' }))
  expect(document.activeElement).toHaveAccessibleName('预算')
})

test('a budget whose parent refuses says so shortly, because the refusal and the parent say the rest', async () => {
  const Message = '预算“车间”的上级预算“中心”已用完，本单需要 ¥20.00，请减少采购金额'
  const parent = {
    Id: '7',
    Name: '中心',
    Policy: 'block',
    Available: '0.00',
    After: '-20.00',
    IsOver: true,
  }
  const charged = {
    Id: '9',
    Name: '车间',
    Policy: 'approve',
    Available: '100.00',
    After: '80.00',
    IsOver: false,
    State: 'normal' as const,
    Parents: [parent],
  }
  const problem = { CartItemId: null, Code: 'budget_exceeded', Field: 'BudgetId', IsRefusal: true }
  const Problems = [{ ...problem, Message, SuggestedQuantity: null }]
  answer('post', '/api/Order/Preview', previewOf({ Budget: charged, Problems }))
  show()
  const budget = await screen.findByRole('region', { name: '预算' })
  expect(within(budget).getByText('上级预算不足，不能提交')).toBeVisible()
  expect(within(budget).getByText('上级“中心”下单后超出 ¥20.00，不能提交')).toBeVisible()
  expect(within(budget).queryByText(Message)).toBeNull()
})

test('a problem stands under its choice, and submit waits for it', async () => {
  const problem = {
    CartItemId: null,
    Code: 'validation',
    Message: '该抬头的专票资质尚未审核，请改开普票或更换抬头',
    Field: 'InvoiceKind',
    SuggestedQuantity: null,
    IsRefusal: false,
  }
  answer('post', '/api/Order/Preview', previewOf({ Problems: [problem] }))
  show()
  expect(await screen.findByRole('alert')).toHaveTextContent(problem.Message)
  expect(screen.getByText('还有 1 处需要处理，处理后即可提交')).toBeVisible()
  expect(screen.getByRole('button', { name: '提交订单' })).toBeDisabled()
})

test('the list of problems leads to the place where each is mended', async () => {
  answer('post', '/api/Order/Preview', previewOf({ Problems: [SHORT] }))
  show()
  await userEvent.click(await screen.findByRole('button', { name: '去处理' }))
  expect(document.activeElement).toHaveTextContent('签字笔')
  expect(document.activeElement?.tagName).toBe('LI')
})

test('a line is mended in place', async () => {
  answer('post', '/api/Order/Preview', previewOf({ Problems: [SHORT] }))
  answer('patch', '/api/ShoppingCart/{ItemId}', cartOf(cartLine({ Quantity: 1 })))
  show()
  const mend = await screen.findByRole('button', { name: '改为 1 盒' })
  answer('post', '/api/Order/Preview', previewOf())
  await userEvent.click(mend)
  await waitFor(() => expect(screen.queryByRole('button', { name: '改为 1 盒' })).toBeNull())
  expect(sent.find(({ method }) => method === 'PATCH')?.body).toEqual({ Quantity: 1 })
})

const OFF = {
  ...previewLine({
    CartItemId: '2',
    CustomerProductName: '旧款硒鼓',
    Quantity: 3,
    CustomerPrice: null,
    Amount: null,
  }),
  Problem: {
    Code: 'stock_short',
    Message: '库存不足，仅剩 1 盒',
    Suggestion: '请减少到 1 盒以内',
    SuggestedQuantity: 1,
  },
}

test('what cannot be bought is named apart with its reason, and does not keep the rest from being ordered', async () => {
  answer('post', '/api/Order/Preview', previewOf({ LeftOut: [OFF] }))
  answer('post', '/api/Order', SUBMITTED)
  show()
  const out = await screen.findByRole('region', { name: '暂不能购买的商品' })
  expect(out).toHaveTextContent('暂不能购买，未计入本单（1）')
  expect(out).toHaveTextContent('旧款硒鼓编码 110040 · 3 盒库存不足，仅剩 1 盒，请减少到 1 盒以内')
  await submit()
  await waitFor(() => expect(orders()[0]?.body).toMatchObject({ Lines: [{ CartItemId: '1' }] }))
})

test('what is left out is mended or removed in place', async () => {
  answer('post', '/api/Order/Preview', previewOf({ LeftOut: [OFF] }))
  answer('patch', '/api/ShoppingCart/{ItemId}', cartOf(cartLine({ Id: '2' })))
  answer('post', '/api/ShoppingCart/Remove', cartOf(cartLine()))
  show()
  const out = await screen.findByRole('region', { name: '暂不能购买的商品' })
  await userEvent.click(within(out).getByRole('button', { name: '改为 1 盒' }))
  await userEvent.click(within(out).getByRole('button', { name: '移除' }))
  await waitFor(() =>
    expect(
      sent
        .filter(({ url }) => url.pathname.startsWith('/api/ShoppingCart/'))
        .map(({ body }) => body),
    ).toEqual(expect.arrayContaining([{ Quantity: 1 }, { Ids: ['2'] }])),
  )
})

test('a chosen budget stays chosen while its figures are reckoned', async () => {
  answer(
    'post',
    '/api/Order/Preview',
    previewOf({
      Budgets: [
        { Id: '9', Name: '行政部预算', Policy: 'block', Available: '100.00' },
        { Id: '8', Name: '企业预算', Policy: 'warn', Available: '5.00' },
      ],
    }),
  )
  show()
  const select = await screen.findByLabelText('使用预算')
  server.use(http.post('/api/Order/Preview', () => new Promise(() => undefined)))
  await userEvent.selectOptions(select, '企业预算')
  expect(select).toHaveDisplayValue('企业预算')
  expect(screen.getByRole('complementary')).toHaveAttribute('aria-busy', 'true')
})

test('the names of budgets are shown whole, with what is left beneath', async () => {
  answer(
    'post',
    '/api/Order/Preview',
    previewOf({
      Budgets: [
        { Id: '9', Name: '行政部预算', Policy: 'block', Available: '1000000.00' },
        { Id: '8', Name: '企业预算', Policy: 'warn', Available: '5.00' },
      ],
    }),
  )
  show()
  const select = await screen.findByLabelText('使用预算')
  expect(
    within(select)
      .getAllByRole('option')
      .map(({ textContent }) => textContent),
  ).toEqual(['行政部预算', '企业预算'])
  expect(select).toHaveAccessibleDescription('可用 ¥100.00')
})

test('a line that is not to be bought now stays in the cart', async () => {
  answer('post', '/api/Order/Preview', previewOf({ Problems: [SHORT] }))
  answer('post', '/api/ShoppingCart/Select', cartOf(cartLine({ Selected: false })))
  show()
  await userEvent.click(await screen.findByRole('button', { name: '本次不买' }))
  await waitFor(() =>
    expect(sent.find(({ url }) => url.pathname.endsWith('/Select'))?.body).toEqual({
      Ids: ['1'],
      Selected: false,
    }),
  )
})

test('the order carries the choices and the prices on screen, and leads to the last step', async () => {
  answer('post', '/api/Order', SUBMITTED)
  const page = show()
  await userEvent.click(await screen.findByRole('radio', { name: '货到付款' }))
  await userEvent.type(screen.getByLabelText('备注'), ' 请送前台 ')
  await submit()
  await waitFor(() => expect(page.location()).toBe('/shop/state?OrderNo=SO1'))
  expect(orders()[0]?.body).toMatchObject({
    PaymentKind: 'cod',
    Remark: '请送前台',
    Lines: [{ CartItemId: '1', CustomerPrice: '10.00' }],
  })
})

test('what accounting writes down does not count the order anew', async () => {
  show()
  await userEvent.type(await screen.findByLabelText('成本中心'), 'A-1')
  expect(sent.filter(({ url }) => url.pathname === '/api/Order/Preview')).toHaveLength(1)
})

test('a price that moved is shown beside the old one and sent only when agreed', async () => {
  refuse('post', '/api/Order', {
    code: 'price_moved',
    message: '价格已变动',
    body: {
      Lines: [{ CartItemId: '1', Name: '签字笔', SeenPrice: '10.00', CustomerPrice: '11.50' }],
    },
  })
  const page = show()
  await submit()
  const dialog = await screen.findByRole('dialog', { name: '价格已变动' })
  expect(within(dialog).getByRole('row', { name: '签字笔 ¥10.00 ¥11.50' })).toBeVisible()
  answer('post', '/api/Order', SUBMITTED)
  await userEvent.click(within(dialog).getByRole('button', { name: '按新价格提交' }))
  await waitFor(() => expect(page.location()).toContain('SO1'))
  expect(orders()[1]?.body).toMatchObject({ Lines: [{ CartItemId: '1', CustomerPrice: '11.50' }] })
})

test('moved prices are told although something else stands in the way, and agreeing waits for that', async () => {
  refuse('post', '/api/Order', {
    code: 'price_moved',
    message: '价格已变动',
    body: {
      Lines: [{ CartItemId: '1', Name: '签字笔', SeenPrice: '10.00', CustomerPrice: '11.50' }],
      Problems: [SHORT],
    },
  })
  show()
  const send = await screen.findByRole('button', { name: '提交订单' })
  answer('post', '/api/Order/Preview', previewOf({ Problems: [SHORT] }))
  await userEvent.click(send)
  const dialog = await screen.findByRole('dialog', { name: '价格已变动' })
  expect(within(dialog).getByRole('row', { name: '签字笔 ¥10.00 ¥11.50' })).toBeVisible()
  expect(await within(dialog).findByText(/另有 1 处需要处理/)).toBeVisible()
  expect(within(dialog).getByRole('button', { name: '按新价格提交' })).toBeDisabled()
})

test('where nothing selected can be bought, it says so with the reasons', async () => {
  answer(
    'post',
    '/api/Order/Preview',
    previewOf({ Lines: [], LeftOut: [OFF], Problems: [{ ...SHORT, CartItemId: '2' }] }),
  )
  show()
  expect(await screen.findByText(/所选商品暂时都不能购买/)).toBeVisible()
  expect(screen.getByRole('region', { name: '暂不能购买的商品' })).toHaveTextContent(
    '库存不足，仅剩 1 盒',
  )
  expect(screen.getByRole('button', { name: '提交订单' })).toBeDisabled()
})

test('with nothing selected it says so and leads back', async () => {
  refuse('post', '/api/Order/Preview', {
    code: 'validation',
    message: '请先选择',
    body: { Errors: { Lines: ['请先在购物车中选择要购买的商品'] } },
  })
  show()
  expect(await screen.findByText('还没有选择要购买的商品')).toBeVisible()
  expect(screen.getByRole('link', { name: '返回购物车' })).toHaveAttribute('href', '/shop/cart')
})

test('a double click submits once', async () => {
  answer('post', '/api/Order', SUBMITTED)
  const page = show()
  await userEvent.dblClick(await screen.findByRole('button', { name: '提交订单' }))
  await waitFor(() => expect(page.location()).toContain('SO1'))
  expect(orders()).toHaveLength(1)
})

test('after a lost answer the same submit goes again under the same key', async () => {
  const keys: (string | null)[] = []
  server.use(
    http.post('/api/Order', ({ request }) => {
      keys.push(request.headers.get('Idempotency-Key'))
      return HttpResponse.error()
    }),
  )
  const page = show()
  await submit()
  expect(await screen.findByText(/没有收到提交结果/)).toBeVisible()
  answer('post', '/api/Order', SUBMITTED)
  await submit()
  await waitFor(() => expect(page.location()).toContain('SO1'))
  expect(orders()[0]?.headers.get('Idempotency-Key')).toBe(keys[0])
})

test('a broken server loses nothing of what was typed', async () => {
  refuse('post', '/api/Order', { status: 503 })
  show()
  await userEvent.type(await screen.findByLabelText('采购单号'), 'PO-7')
  await submit()
  expect(await screen.findByText(/没有收到提交结果/)).toBeVisible()
  expect(screen.getByLabelText('采购单号')).toHaveValue('PO-7')
})

test('when counting fails the form stays, submit waits, and another try is offered', async () => {
  show()
  await userEvent.type(await screen.findByLabelText('备注'), '急用')
  refuse('post', '/api/Order/Preview', { status: 500 })
  await userEvent.click(screen.getByRole('radio', { name: '公司转账' }))
  expect(await screen.findByText(/金额与审批未能更新/)).toBeVisible()
  expect(screen.getByLabelText('备注')).toHaveValue('急用')
  expect(screen.getByRole('button', { name: '提交订单' })).toBeDisabled()
  answer('post', '/api/Order/Preview', previewOf())
  await userEvent.click(screen.getByRole('button', { name: '重新核算' }))
  await waitFor(() => expect(screen.getByRole('button', { name: '提交订单' })).toBeEnabled())
})

test('a reload keeps what was typed', async () => {
  const { unmount } = show()
  await userEvent.type(await screen.findByLabelText('备注'), '急用')
  unmount()
  show()
  expect(await screen.findByLabelText('备注')).toHaveValue('急用')
})

test('a refused remark is told at the remark', async () => {
  refuse('post', '/api/Order', {
    code: 'validation',
    message: '请检查',
    body: { Errors: { Remark: ['备注含有不支持的字符'] } },
  })
  show()
  await submit()
  await waitFor(() =>
    expect(screen.getByLabelText('备注')).toHaveAccessibleDescription('备注含有不支持的字符'),
  )
})

test('a pasted address fills the form, and is saved with its four levels', async () => {
  answer('post', '/api/Address/Parse', {
    Receiver: '张三',
    Mobile: '13800138000',
    Province: '上海市',
    City: '上海市',
    District: '浦东新区',
    Town: '张江镇',
    Street: '张江路88号',
    PostalCode: '',
  })
  answer('post', '/api/Address', addressRow({ Id: '44' }))
  show()
  await userEvent.click(await screen.findByRole('button', { name: '新增地址' }))
  fireEvent.change(await screen.findByLabelText('粘贴整段地址'), {
    target: { value: '上海市浦东新区张江镇张江路88号 张三 13800138000' },
  })
  await userEvent.click(screen.getByRole('button', { name: '智能识别' }))
  await waitFor(() => expect(screen.getByLabelText(/收货人/)).toHaveValue('张三'))
  expect(screen.getByLabelText('街道/乡镇')).toHaveValue('张江镇')
  await userEvent.click(screen.getByRole('button', { name: '保存并使用' }))
  const saved = () =>
    sent.findLast(({ url, method }) => method === 'POST' && url.pathname === '/api/Address')?.body
  await waitFor(() =>
    expect(saved()).toMatchObject({
      Province: '上海市',
      City: '上海市',
      District: '浦东新区',
      Town: '张江镇',
      Street: '张江路88号',
    }),
  )
})

test('a new address with a wrong number is told at its field, and what was typed stays', async () => {
  refuse('post', '/api/Address', {
    code: 'validation',
    message: '请检查',
    body: { Errors: { Mobile: ['请填写 11 位手机号码'] } },
  })
  show()
  await userEvent.click(await screen.findByRole('button', { name: '新增地址' }))
  await userEvent.type(await screen.findByLabelText(/收货人/), '王五')
  await userEvent.click(screen.getByRole('button', { name: '保存并使用' }))
  await waitFor(() =>
    expect(screen.getByLabelText(/手机号码/)).toHaveAccessibleDescription('请填写 11 位手机号码'),
  )
  expect(screen.getByLabelText(/收货人/)).toHaveValue('王五')
})

test('a saved address is the one chosen', async () => {
  answer('post', '/api/Address', addressRow({ Id: '44' }))
  show()
  await userEvent.click(await screen.findByRole('button', { name: '新增地址' }))
  await userEvent.click(await screen.findByRole('button', { name: '保存并使用' }))
  await waitFor(() =>
    expect(sent.findLast(({ url }) => url.pathname === '/api/Order/Preview')?.body).toMatchObject({
      AddressId: '44',
    }),
  )
})

test('two hundred lines and a nine-million amount are shown', async () => {
  const lines = Array.from({ length: 200 }, (_, index) =>
    previewLine({
      CartItemId: String(index),
      CustomerProductName: `长名称商品${'超长'.repeat(40)}${index}`,
    }),
  )
  answer(
    'post',
    '/api/Order/Preview',
    previewOf({
      Lines: lines,
      Amounts: { Goods: '9999999.99', Freight: '0.00', Tax: '0.00', Total: '9999999.99' },
    }),
  )
  show()
  expect(await screen.findByText('共 200 种')).toBeVisible()
  expect(screen.getAllByText('¥9,999,999.99').length).toBeGreaterThan(0)
})

test('an order from a quotation names it in the preview and in the order', async () => {
  answer('post', '/api/Order', { OrderNo: 'SO1', Orders: [] })
  renderAt('/shop/submit?Quotation=BJ1', Component)
  await submit()
  await waitFor(() => expect(orders()).toHaveLength(1))
  expect(orders()[0]?.body).toMatchObject({ QuotationNo: 'BJ1' })
  const previews = sent.filter(({ url }) => url.pathname === '/api/Order/Preview')
  expect(previews.map(({ body }) => (body as { QuotationNo?: string }).QuotationNo)).toEqual(
    previews.map(() => 'BJ1'),
  )
})

test('a line of a quotation changes nothing in the cart', async () => {
  answer(
    'post',
    '/api/Order/Preview',
    previewOf({
      Lines: [previewLine(), previewLine({ CartItemId: '9' })],
      LeftOut: [OFF],
      Problems: [SHORT],
    }),
  )
  renderAt('/shop/submit?Quotation=BJ1', Component)
  const goods = await screen.findByRole('region', { name: '商品清单' })
  expect(within(goods).queryByRole('spinbutton')).toBeNull()
  expect(within(goods).queryByRole('button', { name: /改为|移除/ })).toBeNull()
  expect(within(goods).getByRole('link', { name: '返回报价单' })).toHaveAttribute(
    'href',
    '/userCenter/order/quotation/BJ1',
  )
  await userEvent.click(within(goods).getByRole('button', { name: '本次不买' }))
  await waitFor(() =>
    expect(sent.at(-1)?.body).toMatchObject({ QuotationNo: 'BJ1', Lines: [{ CartItemId: '9' }] }),
  )
  expect(sent.every(({ url }) => !/^.api.ShoppingCart.(?!Count)/.test(url.pathname))).toBe(true)
})

test('an expired quotation says so and leads to it', async () => {
  refuse('post', '/api/Order/Preview', { code: 'wrong_state', message: '该报价单已到期' })
  renderAt('/shop/submit?Quotation=BJ1', Component)
  expect(await screen.findByText('该报价单已到期')).toBeVisible()
  expect(screen.getByRole('link', { name: '查看报价单' })).toHaveAttribute(
    'href',
    '/userCenter/order/quotation/BJ1',
  )
})
