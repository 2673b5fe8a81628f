import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, test } from 'vitest'
import { renderDeskAt } from '@/test/renderDesk'
import { answer, refuse, sent } from '@/test/server'
import { signIn } from '@/test/session'
import type { BudgetRow } from './api'
import { Component } from '.'

const budget = (more: Partial<BudgetRow> = {}): BudgetRow => ({
  Id: '5',
  Name: '办公预算',
  OwnerType: 'department',
  OwnerId: '2',
  OwnerName: '行政部',
  OwnerPath: ['云帆科技', '行政部'],
  Thresholds: [80, 100],
  ParentId: null,
  ParentName: '',
  Period: 'year',
  PeriodFrom: '2020-01-01',
  PeriodTo: '2099-12-31',
  PeriodText: '2026 年',
  Amount: '1000.00',
  Reserved: '300.00',
  Consumed: '500.00',
  Held: '0.00',
  Available: '200.00',
  State: 'near',
  Policy: 'block',
  PolicyText: '超出禁止下单',
  Earmark: null,
  Rollover: 'none',
  RolloverCap: null,
  RolloverText: '不结转',
  Awaiting: { Amount: '0.00', Count: 0 },
  Forecast: { Used: '0.00', AtEnd: null, Overrun: '0.00', TimePercent: '10.0' },
  CanKeep: true,
  UpdatedAt: '2026-11-20T10:00:00+08:00',
  ...more,
})
const pageOf = (...Items: object[]): object => ({
  Items,
  Total: Items.length,
  PageIndex: 1,
  PageSize: 20,
})
const sums = {
  Count: 1,
  Amount: '1000.00',
  Reserved: '300.00',
  Consumed: '500.00',
  Held: '0.00',
  Available: '200.00',
  Near: 1,
  Full: 0,
  CanKeep: true,
}
const show = () => renderDeskAt('/userCenter/asset/budget', Component)
const written = (method: string) => sent.filter((request) => request.method === method)
const open = async (name: string) => {
  show()
  await userEvent.click(await screen.findByRole('button', { name }))
  return screen.findByRole('dialog')
}

beforeEach(() => {
  signIn({ utype: 'GA' })
  answer('get', '/api/Budget', pageOf(budget()))
  answer('get', '/api/Budget/Summary', sums)
  answer('get', '/api/BudgetTransfer', [])
  answer('get', '/api/Department', pageOf())
  answer('get', '/api/Enterprise', pageOf())
})

test('another amount asks for a reason, and says what it was decided on', async () => {
  answer('patch', '/api/Budget/5', budget())
  const dialog = await open('调整')
  expect(dialog).toHaveTextContent('当前额度 ¥1,000.00，已使用和已预占共 ¥800.00')
  await userEvent.clear(within(dialog).getByLabelText('额度（元）'))
  await userEvent.type(within(dialog).getByLabelText('额度（元）'), '1200')
  await userEvent.click(within(dialog).getByRole('button', { name: '保存' }))
  expect(await within(dialog).findByText('请填写调整原因')).toBeInTheDocument()
  await userEvent.type(within(dialog).getByLabelText('调整原因'), '扩编')
  await userEvent.click(within(dialog).getByRole('button', { name: '保存' }))
  await expect.poll(() => written('PATCH').length).toBe(1)
  expect(written('PATCH')[0]?.body).toMatchObject({
    Amount: '1200',
    AmountSeen: '1000.00',
    Reason: '扩编',
  })
})

test('an amount below what is used is refused in the dialog', async () => {
  refuse('patch', '/api/Budget/5', {
    code: 'budget_exceeded',
    message: '调整后的额度低于已预占与已使用之和',
  })
  const dialog = await open('调整')
  await userEvent.clear(within(dialog).getByLabelText('额度（元）'))
  await userEvent.type(within(dialog).getByLabelText('额度（元）'), '799')
  await userEvent.type(await within(dialog).findByLabelText('调整原因'), '收紧')
  await userEvent.click(within(dialog).getByRole('button', { name: '保存' }))
  expect(await within(dialog).findByRole('alert')).toHaveTextContent('低于已预占与已使用之和')
})

test('a budget is put under a parent that the search finds', async () => {
  answer('get', '/api/Budget', pageOf(budget(), budget({ Id: '6', Name: '企业年度' })))
  answer('patch', '/api/Budget/5', budget())
  show()
  await userEvent.click((await screen.findAllByRole('button', { name: '调整' }))[0] as HTMLElement)
  const dialog = await screen.findByRole('dialog')
  await userEvent.click(within(dialog).getByLabelText('上级预算'))
  await userEvent.click(await screen.findByTitle('企业年度（2026 年）'))
  await userEvent.click(within(dialog).getByRole('button', { name: '保存' }))
  await expect.poll(() => written('PATCH').length).toBe(1)
  expect(written('PATCH')[0]?.body).toMatchObject({ ParentId: 6 })
})

test('a transfer offers the other budgets that one keeps', async () => {
  answer(
    'get',
    '/api/Budget',
    pageOf(
      budget(),
      budget({ Id: '6', Name: '市场预算', OwnerName: '市场部' }),
      budget({ Id: '7', Name: '他人预算', CanKeep: false }),
    ),
  )
  show()
  await userEvent.click((await screen.findAllByRole('button', { name: '调拨' }))[0] as HTMLElement)
  const dialog = await screen.findByRole('dialog')
  await userEvent.click(within(dialog).getByLabelText('调入预算'))
  expect(await screen.findByTitle('市场预算（市场部，2026 年，可用 ¥200.00）')).toBeInTheDocument()
  expect(screen.queryByTitle(/他人预算（/)).toBeNull()
  expect(screen.queryByTitle(/办公预算（/)).toBeNull()
  expect(
    sent
      .filter(({ url }) => url.pathname === '/api/Budget')
      .at(-1)
      ?.url.searchParams.get('When'),
  ).toBe('open')
})

test.each([
  [[], '没有其他人同时维护这两个预算，提交后立即生效，不再审批'],
  [['许会计'], '由 许会计审批后生效'],
  [['许会计', '陈总'], '由 许会计、陈总 中任一位审批后生效'],
])('before a transfer is sent it says who decides it: %j', async (Names, text) => {
  answer(
    'get',
    '/api/Budget',
    pageOf(budget(), budget({ Id: '6', Name: '市场预算', OwnerName: '市场部' })),
  )
  answer('get', '/api/BudgetTransfer/Deciders', { Names })
  show()
  await userEvent.click((await screen.findAllByRole('button', { name: '调拨' }))[0] as HTMLElement)
  const dialog = await screen.findByRole('dialog')
  expect(dialog).toHaveTextContent('由另一位预算维护人审批后生效')
  await userEvent.click(within(dialog).getByLabelText('调入预算'))
  await userEvent.click(await screen.findByTitle(/^市场预算/))
  expect(await within(dialog).findByText(new RegExp(text))).toBeInTheDocument()
})

test('who keeps no budgets is offered nothing to change', async () => {
  answer('get', '/api/Budget', pageOf(budget({ CanKeep: false })))
  answer('get', '/api/Budget/Summary', { ...sums, CanKeep: false })
  show()
  expect(await screen.findByRole('button', { name: '记录' })).toBeInTheDocument()
  for (const name of ['导入', '新增预算', '调整', '调拨'])
    expect(screen.queryByRole('button', { name })).toBeNull()
})

test('what is left may go into the next period, up to a cap', async () => {
  answer('patch', '/api/Budget/5', budget())
  const dialog = await open('调整')
  await userEvent.click(within(dialog).getByLabelText('期末余额'))
  await userEvent.click(await screen.findByTitle('限额结转到下一期'))
  await userEvent.type(await within(dialog).findByLabelText('结转上限（元）'), '50')
  await userEvent.click(within(dialog).getByRole('button', { name: '保存' }))
  await expect.poll(() => written('PATCH').length).toBe(1)
  expect(written('PATCH')[0]?.body).toMatchObject({ Rollover: 'cap', RolloverCap: '50' })
})

test('a period that has ended is not asked what becomes of its rest', async () => {
  answer('get', '/api/Budget', pageOf(budget({ PeriodTo: '2020-12-31' })))
  const dialog = await open('调整')
  expect(within(dialog).queryByLabelText('期末余额')).toBeNull()
})

const waiting = (more: object = {}) => ({
  Id: '9',
  SourceId: '5',
  SourceName: '办公预算',
  TargetId: '6',
  TargetName: '市场预算',
  Amount: '120.00',
  Reason: '展会物料',
  By: '老财',
  At: '2026-11-20T10:30:00+08:00',
  CanDecide: true,
  CanWithdraw: false,
  ...more,
})

test('a transfer that waits tells who asked and why, and a second person agrees', async () => {
  answer('get', '/api/BudgetTransfer', [waiting()])
  answer('post', '/api/BudgetTransfer/9/Approve', null)
  show()
  const part = await screen.findByRole('region', { name: '待审批的调拨' })
  for (const text of ['办公预算 → 市场预算', '¥120.00', '老财', '展会物料'])
    expect(part).toHaveTextContent(text)
  expect(within(part).queryByRole('button', { name: '撤回' })).toBeNull()
  await userEvent.click(within(part).getByRole('button', { name: /同\s?意/ }))
  await userEvent.click(await screen.findByRole('button', { name: /确\s?定|OK/ }))
  await expect
    .poll(() => written('POST').map(({ url }) => url.pathname))
    .toEqual(['/api/BudgetTransfer/9/Approve'])
})

test('a rejection asks for its reason', async () => {
  answer('get', '/api/BudgetTransfer', [waiting()])
  answer('post', '/api/BudgetTransfer/9/Reject', null)
  show()
  await userEvent.click(await screen.findByRole('button', { name: /驳\s?回/ }))
  const dialog = await screen.findByRole('dialog')
  await userEvent.click(within(dialog).getByRole('button', { name: /驳\s?回/ }))
  expect(await within(dialog).findByText('请填写驳回原因')).toBeInTheDocument()
  await userEvent.type(within(dialog).getByLabelText('驳回原因'), '本季不再追加')
  await userEvent.click(within(dialog).getByRole('button', { name: /驳\s?回/ }))
  await expect.poll(() => written('POST')[0]?.body).toEqual({ Reason: '本季不再追加' })
})

test('who asked may only take it back', async () => {
  answer('get', '/api/BudgetTransfer', [waiting({ CanDecide: false, CanWithdraw: true })])
  show()
  const part = await screen.findByRole('region', { name: '待审批的调拨' })
  expect(
    within(part)
      .getAllByRole('button')
      .map((button) => button.textContent?.replace(/\s/g, '')),
  ).toEqual(['撤回'])
})

test('what has ended is told with who decided it and why', async () => {
  answer(
    'get',
    '/api/BudgetTransfer/History',
    pageOf({
      Id: '3',
      SourceName: '办公预算',
      TargetName: '市场预算',
      Amount: '120.00',
      Reason: '展会物料',
      By: '老财',
      At: '2026-11-19T10:30:00+08:00',
      Status: 'rejected',
      StatusText: '已驳回',
      DecidedBy: '集管',
      DecidedAt: '2026-11-20T10:30:00+08:00',
      Note: '本季不再追加',
    }),
  )
  show()
  await userEvent.click(await screen.findByRole('button', { name: '调拨记录' }))
  const row = await screen.findByRole('row', { name: /办公预算 → 市场预算/ }, { timeout: 10_000 })
  for (const text of [
    '2026-11-20 10:30',
    '展会物料',
    '¥120.00',
    '老财',
    '已驳回',
    '集管',
    '本季不再追加',
  ])
    expect(row).toHaveTextContent(text)
})
