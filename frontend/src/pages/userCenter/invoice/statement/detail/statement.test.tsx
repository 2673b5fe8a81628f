import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, test, vi } from 'vitest'
import { pageOf } from '@/test/fixtures'
import { renderDeskAt } from '@/test/renderDesk'
import { answer, refuse, sent } from '@/test/server'
import { signIn } from '@/test/session'
import { statementDetail, statementLine } from '@/test/statements'
import { Component } from '.'

const show = (query = ''): ReturnType<typeof renderDeskAt> =>
  renderDeskAt(
    `/userCenter/invoice/statement/9${query}`,
    Component,
    '/userCenter/invoice/statement/:id',
  )
const posted = (): unknown => sent.find(({ method }) => method === 'POST')?.body
const LINES = [
  statementLine(),
  statementLine({
    Id: '42',
    Kind: 'freight',
    KindText: '运费',
    Text: '运费',
    Quantity: null,
    Amount: '8.00',
    Tax: '0.00',
  }),
  statementLine({
    Id: '43',
    Kind: 'return',
    KindText: '退货',
    Reference: 'RT1',
    Quantity: 3,
    Amount: '43.05',
    Tax: '4.95',
  }),
  statementLine({
    Id: '44',
    Kind: 'payment',
    KindText: '付款',
    Reference: 'PAY2610057469478e692b04ba394',
    Text: '收款',
    Quantity: null,
    Amount: '800.00',
    Tax: '0.00',
  }),
]

beforeEach(() => {
  answer('get', '/api/Statement/9/Allocations', [])
  signIn()
  answer('get', '/api/Statement/{Id}', statementDetail())
  answer('get', '/api/Statement/{Id}/Lines', pageOf(...LINES))
  answer('get', '/api/Statement/{Id}/Match', null)
})

test('what is owed stands as a sum', async () => {
  show()
  const sum = await screen.findByRole('region', { name: '应付金额' })
  expect(
    within(sum)
      .getAllByRole('listitem')
      .map(({ textContent }) => textContent?.replace(/查看明细|上期结转|结转下期/, '')),
  ).toEqual([
    '期初应付¥76.00',
    '+本期签收¥1,238.50',
    '−本期退货¥43.05',
    '−本期付款¥800.00',
    '=期末应付¥471.45',
    '本期开票¥1,195.45',
  ])
})

test('a figure opens its lines, and stays open in the address', async () => {
  const scroll = vi.fn<() => void>()
  HTMLElement.prototype.scrollIntoView = scroll
  const page = show()
  const sum = await screen.findByRole('region', { name: '应付金额' })
  answer('get', '/api/Statement/{Id}/Lines', pageOf(LINES[0], LINES[1]))
  await userEvent.click(within(sum).getByRole('button', { name: /本期签收/ }))
  expect(page.location()).toBe('/userCenter/invoice/statement/9?Figure=deliveries')
  expect(await screen.findByText(/由以下 2 条明细构成/)).toHaveTextContent(
    '本期签收 ¥1,238.50，由以下 2 条明细构成',
  )
  expect(sent.at(-1)?.url.search).toBe('?PageIndex=1&PageSize=20&Kind=deliveries')
  expect(within(sum).getByRole('button', { name: /本期签收/ })).toHaveAttribute(
    'aria-pressed',
    'true',
  )
  expect(scroll).toHaveBeenCalledTimes(1)
})

test('each line leads to its order and its paper', async () => {
  show()
  const lines = await screen.findByRole('region', { name: '对账明细' })
  expect((await within(lines).findAllByRole('link', { name: 'SO1' }))[0]).toHaveAttribute(
    'href',
    '/userCenter/order/detail?OrderNo=SO1',
  )
  expect(within(lines).getByRole('link', { name: 'RT1' })).toHaveAttribute(
    'href',
    '/userCenter/order/afterSales/RT1',
  )
  expect(within(lines).getByText('收款').closest('tr')).toHaveTextContent('¥800.00—')
  expect(lines).not.toHaveTextContent('PAY')
  expect(within(lines).getByText('90 支')).toBeVisible()
})

test('what is confirmed is the closing that was seen', async () => {
  answer(
    'post',
    '/api/Statement/{Id}/Confirm',
    statementDetail({ Status: 'confirmed', StatusText: '已确认', CanAnswer: false }),
  )
  show()
  await userEvent.click(await screen.findByRole('button', { name: '确认对账单' }))
  const dialog = await screen.findByRole('dialog', { name: '确认2026年10月对账单' })
  expect(dialog).toHaveTextContent(
    '期初应付¥76.00＋ 本期签收¥1,238.50－ 本期退货¥43.05－ 本期付款¥800.00＝ 期末应付¥471.45',
  )
  await userEvent.click(within(dialog).getByRole('button', { name: '确认无误' }))
  await waitFor(() => expect(posted()).toEqual({ Closing: '471.45', WaiveDispute: false }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
})

test('where it has grown meanwhile the dialog says so and shows the new figure', async () => {
  refuse('post', '/api/Statement/{Id}/Confirm', {
    code: 'stale',
    message: '对账单有新的明细，期末应付已变为 ¥481.45，请核对后再确认',
  })
  show()
  await userEvent.click(await screen.findByRole('button', { name: '确认对账单' }))
  const dialog = await screen.findByRole('dialog')
  answer(
    'get',
    '/api/Statement/{Id}',
    statementDetail({ Deliveries: '1248.50', Closing: '481.45' }),
  )
  await userEvent.click(within(dialog).getByRole('button', { name: '确认无误' }))
  expect(await within(dialog).findByRole('alert')).toHaveTextContent('期末应付已变为 ¥481.45')
  expect(await within(dialog).findByText('¥481.45')).toBeVisible()
})

test('the whole is disputed with a message only', async () => {
  answer(
    'post',
    '/api/Statement/{Id}/Dispute',
    statementDetail({ Status: 'disputed', StatusText: '有异议' }),
  )
  show()
  await userEvent.click(await screen.findByRole('button', { name: '提出异议' }))
  const dialog = await screen.findByRole('dialog', { name: '对整张对账单提出异议' })
  await userEvent.click(within(dialog).getByRole('button', { name: '提交异议' }))
  expect(await within(dialog).findByText('请填写异议说明')).toBeVisible()
  expect(posted()).toBeUndefined()
  await userEvent.type(within(dialog).getByLabelText(/异议说明/), '金额不符')
  await userEvent.click(within(dialog).getByRole('button', { name: '提交异议' }))
  await waitFor(() => expect(posted()).toEqual({ Text: '金额不符', LineId: null }))
})

test('a line is disputed by its number', async () => {
  answer(
    'post',
    '/api/Statement/{Id}/Dispute',
    statementDetail({ Status: 'disputed', StatusText: '有异议' }),
  )
  show()
  await userEvent.click(
    (
      await screen.findAllByRole('button', { name: '对 签字笔（110040） 提异议' })
    )[1] as HTMLElement,
  )
  const dialog = await screen.findByRole('dialog', { name: '对明细提出异议' })
  expect(dialog).toHaveTextContent('退货“签字笔（110040）”，¥43.05')
  await userEvent.type(within(dialog).getByLabelText(/异议说明/), '退了 5 盒')
  await userEvent.click(within(dialog).getByRole('button', { name: '提交异议' }))
  await waitFor(() => expect(posted()).toEqual({ Text: '退了 5 盒', LineId: 43 }))
})

test('what was said is read in order, with the line it is about', async () => {
  answer(
    'get',
    '/api/Statement/{Id}',
    statementDetail({
      Remarks: [
        {
          At: '2026-11-03T10:00:00+08:00',
          By: { Id: '7', Name: '张采购' },
          IsAnswer: false,
          Text: '少收 2 盒',
          LineText: '签字笔（110040）',
        },
        {
          At: '2026-11-04T16:20:00+08:00',
          By: { Id: '1', Name: '管理员' },
          IsAnswer: true,
          Text: '已核实，补发 2 盒',
          LineText: '',
        },
      ],
    }),
  )
  show()
  const talk = await screen.findByRole('region', { name: '异议与答复' })
  expect(
    within(talk)
      .getAllByRole('listitem')
      .map(({ textContent }) => textContent),
  ).toEqual([
    '张采购异议2026-11-03 10:00明细：签字笔（110040）少收 2 盒',
    '平台客服答复2026-11-04 16:20已核实，补发 2 盒',
  ])
})

test('a confirmed one offers neither, and says who confirmed it', async () => {
  answer(
    'get',
    '/api/Statement/{Id}',
    statementDetail({
      Status: 'confirmed',
      StatusText: '已确认',
      CanAnswer: false,
      ConfirmedAt: '2026-11-05T09:00:00+08:00',
      ConfirmedBy: { Id: '7', Name: '张采购' },
    }),
  )
  show()
  expect(await screen.findByText(/张采购 2026-11-05 09:00 确认/)).toBeVisible()
  await screen.findByText('收款')
  expect(screen.queryByRole('button', { name: /确认对账单|提出异议|提异议/ })).toBeNull()
})

test('debts stand by their age, with what is overdue of them', async () => {
  show()
  const ages = await screen.findByRole('region', { name: '应付账龄' })
  expect(ages).toHaveTextContent('账期 30 天')
  expect(ages).toHaveTextContent('当前应付 ¥471.45，其中逾期 ¥71.45')
})

test('what was paid before it came is the difference to the closing', async () => {
  answer('get', '/api/Statement/{Id}', statementDetail({ Prepaid: '71.00' }))
  show()
  expect(await screen.findByRole('region', { name: '应付账龄' })).toHaveTextContent(
    '已付款待收货 ¥71.00，抵减后净应付 ¥400.45',
  )
})

test('a running statement says that the ages of today are ahead of it', async () => {
  answer('get', '/api/Statement/{Id}', statementDetail({ Status: 'running' }))
  show()
  expect(
    await screen.findByText(
      '账龄实时计算，未出账的对账单每小时汇总一次：刚自动签收的商品先计入账龄，一小时内计入期末应付',
    ),
  ).toBeVisible()
})

test('all lines go to paper, not the page that is shown', async () => {
  const print = vi.spyOn(window, 'print').mockImplementation(() => undefined)
  show()
  await userEvent.click(await screen.findByRole('button', { name: '打印' }))
  await waitFor(() => expect(print).toHaveBeenCalledTimes(1))
  expect(sent.at(-1)?.url.search).toBe('?PageIndex=1&PageSize=1000')
})

test('what is not there leads back to the list, in the words of the server', async () => {
  refuse('get', '/api/Statement/{Id}', {
    status: 404,
    code: 'not_found',
    message: '对账单不存在，或您无权查看',
  })
  show()
  expect(await screen.findByText('对账单不存在，或您无权查看')).toBeVisible()
  expect(screen.getByRole('link', { name: '返回对账单' })).toHaveAttribute(
    'href',
    '/userCenter/invoice/statement',
  )
})

test('an unanswered dispute must be waived before the confirmation', async () => {
  answer('get', '/api/Statement/{Id}', statementDetail({ Status: 'disputed' }))
  answer('post', '/api/Statement/{Id}/Confirm', statementDetail({ Status: 'confirmed' }))
  show()
  await userEvent.click(await screen.findByRole('button', { name: '确认对账单' }))
  const dialog = await screen.findByRole('dialog')
  const confirm = within(dialog).getByRole('button', { name: '确认无误' })
  expect(confirm).toBeDisabled()
  await userEvent.click(within(dialog).getByRole('checkbox', { name: '放弃未答复的异议' }))
  await userEvent.click(confirm)
  await waitFor(() => expect(posted()).toEqual({ Closing: '471.45', WaiveDispute: true }))
})

test('one click disputes a difference of the goods received', async () => {
  const match = {
    FileName: '收货单.xlsx',
    SheetRows: 12,
    HasAmounts: false,
    At: '2026-11-02T09:00:00+08:00',
    By: { Id: '7', Name: '张采购' },
    Counts: [{ Code: 'quantity' as const, Name: '数量不符', Count: 1 }],
    Open: 1,
  }
  answer('get', '/api/Statement/{Id}/Match', match)
  answer(
    'get',
    '/api/Statement/{Id}/Match/Lines',
    pageOf({
      Id: '5',
      Result: 'quantity',
      ResultText: '数量不符',
      OrderRef: 'SO1',
      MaterialCode: 'WL-1',
      Name: '签字笔',
      OurQuantity: 90,
      TheirQuantity: 88,
      OurAmount: '1230.50',
      TheirAmount: null,
      DisputedAt: null,
    }),
  )
  answer('post', '/api/Statement/{Id}/Match/Dispute', { ...match, Open: 0 })
  show()
  const card = await screen.findByRole('region', { name: '收货核对' })
  expect(await within(card).findByText('数量不符', { selector: 'td *' })).toBeVisible()
  await userEvent.click(within(card).getByRole('button', { name: '对 SO1 WL-1 提异议' }))
  await waitFor(() => expect(posted()).toEqual({ LineIds: ['5'] }))
})

test('a sheet that replaces a match is asked about first, and its columns are mapped', async () => {
  const match = {
    FileName: '收货单.xlsx',
    SheetRows: 1,
    HasAmounts: false,
    At: '2026-11-02T09:00:00+08:00',
    By: { Id: '7', Name: '张采购' },
    Counts: [],
    Open: 0,
  }
  answer('get', '/api/Statement/{Id}/Match', match)
  answer('get', '/api/Statement/{Id}/Match/Lines', pageOf())
  refuse('post', '/api/Statement/{Id}/Match/Upload', {
    code: 'file_refused',
    message: '未识别的列：库位，请选择各列对应的内容，或选择不导入',
    body: { Headers: ['库位'], Columns: [] },
  })
  const uploads = () => sent.filter(({ url }) => url.pathname.endsWith('/Match/Upload'))
  show()
  const card = await screen.findByRole('region', { name: '收货核对' })
  await within(card).findByRole('button', { name: '重新上传' })
  await userEvent.upload(screen.getByLabelText('收货单表格'), new File(['x'], '十月.xlsx'))
  expect(await screen.findByText(/“十月.xlsx”核对后替换现有结果/)).toBeInTheDocument()
  expect(uploads()).toHaveLength(0)

  await userEvent.click(screen.getByRole('button', { name: /替\s*换/ }))
  expect(await screen.findByLabelText('库位 对应的内容')).toBeInTheDocument()
  answer('post', '/api/Statement/{Id}/Match/Upload', match)
  await userEvent.click(screen.getByRole('button', { name: '按此对应检查' }))
  await waitFor(() => expect(uploads()).toHaveLength(2))
  expect(uploads().at(-1)?.body).toContain('{"库位":""}')
})

test('a statement shows the ages of its own month beside those of today', async () => {
  const base = statementDetail()
  answer(
    'get',
    '/api/Statement/{Id}',
    statementDetail({
      ClosingDebt: {
        Day: '2026-10-31',
        Ages: base.Ages.map((age) => ({
          ...age,
          Amount: age.Code === 'not_due' ? '471.45' : '0.00',
        })),
        Prepaid: '0.00',
      },
    }),
  )
  show()
  expect(await screen.findByRole('region', { name: '账期末账龄' })).toHaveTextContent(
    /截至 2026-10-31.*未到期¥471.45/,
  )
  expect(screen.getByRole('region', { name: '应付账龄' })).toHaveTextContent('今天的应付账龄')
})

test('sums by dimension that failed to load are loaded again, and none says so', async () => {
  refuse('get', '/api/Statement/9/Allocations', { status: 500 })
  show()
  const sums = await screen.findByRole('region', { name: '核算分摊' })
  const retry = await within(sums).findByRole('button', { name: '重新加载' })
  answer('get', '/api/Statement/9/Allocations', [])
  await userEvent.click(retry)
  expect(await within(sums).findByText(/^没有按成本中心、项目/)).toBeVisible()
})
