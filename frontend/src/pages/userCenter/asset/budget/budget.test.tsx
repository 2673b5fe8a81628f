import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, test } from 'vitest'
import { getPercent } from '@/domain/budgets/Gauge'
import { narrowToPhone } from '@/test/media'
import { renderDeskAt } from '@/test/renderDesk'
import { answer, sent } from '@/test/server'
import { signIn } from '@/test/session'
import type { BudgetRow } from './api'
import { formatSigned } from './Ledger'
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
  Period: 'month',
  PeriodFrom: '2026-11-01',
  PeriodTo: '2026-11-30',
  PeriodText: '2026 年 11 月',
  Amount: '1000.00',
  Reserved: '300.00',
  Consumed: '520.00',
  Held: '0.00',
  Available: '180.00',
  State: 'near',
  Policy: 'block',
  PolicyText: '超出禁止下单',
  Earmark: null,
  Rollover: 'none',
  RolloverCap: null,
  RolloverText: '不结转',
  Awaiting: { Amount: '200.00', Count: 2 },
  Forecast: { Used: '0.00', AtEnd: null, Overrun: '0.00', TimePercent: '10.0' },
  CanKeep: false,
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
  Consumed: '520.00',
  Held: '0.00',
  Available: '180.00',
  Near: 1,
  Full: 0,
  CanKeep: false,
}
const show = (query = '') => renderDeskAt(`/userCenter/asset/budget${query}`, Component)

beforeEach(() => {
  signIn({ utype: 'GA' })
  answer('get', '/api/Budget', pageOf(budget()))
  answer('get', '/api/Budget/Summary', sums)
  answer('get', '/api/BudgetTransfer', [])
  answer('get', '/api/Department', pageOf())
  answer('get', '/api/Enterprise', pageOf())
})

test('the part that is taken is rounded down, and a budget of nothing is used up', () => {
  expect(getPercent(budget())).toBe(82)
  expect(getPercent(budget({ Reserved: '479.99', Consumed: '520.00' }))).toBe(99)
  expect(getPercent(budget({ Amount: '0.00', Reserved: '0.00', Consumed: '0.00' }))).toBe(100)
})

test('a move has the sign it has for the figure that is looked at', () => {
  expect(formatSigned({ Kind: 'reserve', Amount: '10.00' }, 'reserved')).toBe('+¥10.00')
  expect(formatSigned({ Kind: 'consume', Amount: '10.00' }, 'reserved')).toBe('-¥10.00')
  expect(formatSigned({ Kind: 'consume', Amount: '10.00' }, 'consumed')).toBe('+¥10.00')
  expect(formatSigned({ Kind: 'adjust', Amount: '-10.00' }, 'amount')).toBe('-¥10.00')
  expect(formatSigned({ Kind: 'reserve', Amount: '10.00' }, '')).toBe('-¥10.00')
  expect(formatSigned({ Kind: 'consume', Amount: '10.00' }, '')).toBe('¥10.00')
  expect(formatSigned({ Kind: 'carry_out', Amount: '10.00' }, 'amount')).toBe('-¥10.00')
  expect(formatSigned({ Kind: 'carry_out', Amount: '10.00' }, '')).toBe('-¥10.00')
  expect(formatSigned({ Kind: 'carry_in', Amount: '10.00' }, 'amount')).toBe('+¥10.00')
})

test('a row tells whose it is, its figures, and that it is near its end', async () => {
  show()
  const row = await screen.findByRole('row', { name: /办公预算/ })
  for (const text of [
    '云帆科技 / 行政部',
    '2026 年 11 月',
    '¥1,000.00',
    '¥520.00',
    '¥300.00',
    '¥180.00',
    '82%',
    '即将用完',
    '超出禁止下单',
    '含审批中 2 单 ¥200.00',
  ])
    expect(row).toHaveTextContent(text)
  expect(within(row).getByRole('img', { name: '已占用 82%' })).toBeInTheDocument()
})

test('what is under way is shown first, and an alert leaves its budgets', async () => {
  show()
  await userEvent.click(await screen.findByRole('button', { name: '1 个预算已用 80% 以上' }))
  const asked = sent
    .filter(({ url }) => url.pathname === '/api/Budget')
    .map(({ url }) => `${url.searchParams.get('When')} ${url.searchParams.get('State') ?? ''}`)
  expect(asked).toEqual(['current ', 'current near'])
})

test('the list and its sums are those of one kind of budgets', async () => {
  show('?Earmark=category')
  expect(await screen.findByTitle('类目专项')).toBeVisible()
  const asked = sent
    .filter(({ url }) => url.pathname.startsWith('/api/Budget'))
    .map(({ url }) => url.searchParams.get('Earmark'))
  expect(asked.filter((kind) => kind === 'category')).toHaveLength(2)
})

test('a figure opens the ledger behind it, each row with its order', async () => {
  answer(
    'get',
    '/api/Budget/5/Entries',
    pageOf({
      Id: '9',
      At: '2026-11-20T10:00:00+08:00',
      Kind: 'reserve',
      KindText: '预占',
      Amount: '300.00',
      OrderNo: 'SO7',
      By: '小采',
      Note: '',
      Counterpart: null,
      OriginName: '',
    }),
  )
  show()
  await userEvent.click(await screen.findByRole('button', { name: /办公预算已预占的流水/ }))
  const drawer = await screen.findByRole('dialog')
  expect(await within(drawer).findByRole('link', { name: 'SO7' })).toHaveAttribute(
    'href',
    '/userCenter/order/detail?OrderNo=SO7',
  )
  expect(within(drawer).getByText('+¥300.00')).toBeInTheDocument()
  expect(
    sent.find(({ url }) => url.pathname.endsWith('/Entries'))?.url.searchParams.get('Figure'),
  ).toBe('reserved')
})

test('the forecast says what is left when open approvals pass and when they do not', async () => {
  answer('get', '/api/Budget/5/Awaiting', [
    { Id: '3', OrderNo: 'SO7', Note: '', Amount: '200.00', At: '2026-11-20T10:00:00+08:00' },
  ])
  show()
  await userEvent.click(await screen.findByRole('button', { name: /办公预算审批中的订单/ }))
  const drawer = await screen.findByRole('dialog')
  expect((await within(drawer).findByText('全部驳回后可用')).nextSibling).toHaveTextContent(
    '¥380.00',
  )
  expect(within(drawer).getByText('全部通过后可用').nextSibling).toHaveTextContent('¥180.00')
})

test('without budgets it says what they are for', async () => {
  answer('get', '/api/Budget', pageOf())
  show()
  expect(await screen.findByText('还没有进行中的预算')).toBeInTheDocument()
})

test('a roll-over is told in the row, and its ledger leads to the other budget', async () => {
  answer(
    'get',
    '/api/Budget',
    pageOf(
      budget({
        Rollover: 'cap',
        RolloverCap: '100.00',
        RolloverText: '限额结转（最多 ¥100.00）',
      }),
    ),
  )
  answer(
    'get',
    '/api/Budget/5/Entries',
    pageOf({
      Id: '9',
      At: '2026-11-20T10:00:00+08:00',
      Kind: 'carry_in',
      KindText: '结转转入',
      Amount: '100.00',
      OrderNo: '',
      By: '系统',
      Note: '自“办公预算”（2026 年 10 月）结转',
      Counterpart: { BudgetId: '4', Name: '办公预算' },
      OriginName: '',
    }),
  )
  show()
  await userEvent.click(await screen.findByRole('button', { name: /办公预算额度的流水/ }))
  const drawer = await screen.findByRole('dialog')
  expect(await within(drawer).findByRole('link', { name: '对应预算' })).toHaveAttribute(
    'href',
    '/userCenter/asset/budget?When=all&Keyword=%E5%8A%9E%E5%85%AC%E9%A2%84%E7%AE%97',
  )
  expect(screen.getAllByText('限额结转（最多 ¥100.00）')).not.toHaveLength(0)
})

const node = (Id: string, Level: number, Name: string, Available = '100.00'): object => ({
  Id,
  Level,
  Name,
  OwnerName: '云帆科技',
  ParentName: '',
  PeriodText: '2026 年',
  PolicyText: '超出禁止下单',
  EarmarkText: '',
  Amount: '1000.00',
  Reserved: '300.00',
  Consumed: '600.00',
  Held: '0.00',
  Available,
  State: 'near',
})

test('the tree is walked, closed and opened with the keyboard', async () => {
  const all = [
    node('1', 1, '企业'),
    node('2', 2, '行政部'),
    node('3', 3, '小采'),
    node('4', 1, '其他'),
  ]
  answer('get', '/api/Budget/Tree', all)
  const { location } = show('?View=tree')
  const names = (): (string | null)[] =>
    screen
      .getAllByRole('row')
      .slice(1)
      .map((row) => row.getAttribute('aria-label'))
  const first = await screen.findByRole('row', { name: '企业' })
  expect(names()).toEqual(['企业', '行政部', '小采', '其他'])
  expect(first).toHaveAttribute('aria-level', '1')
  expect(first).toHaveAttribute('aria-expanded', 'true')
  expect(first).toHaveTextContent('¥600.00')

  first.focus()
  await userEvent.keyboard('{ArrowDown}{ArrowLeft}')
  expect(names()).toEqual(['企业', '行政部', '其他'])
  await userEvent.keyboard('{ArrowRight}{ArrowRight}')
  expect(screen.getByRole('row', { name: '小采' })).toHaveFocus()
  await userEvent.keyboard('{ArrowLeft}{ArrowLeft}{ArrowLeft}{End}')
  expect(screen.getByRole('row', { name: '其他' })).toHaveFocus()
  await userEvent.click(screen.getByRole('button', { name: '全部收起' }))
  expect(names()).toEqual(['企业', '其他'])

  await userEvent.click(screen.getByRole('button', { name: '企业' }))
  expect(location()).toContain('Keyword=')
  expect(location()).not.toContain('View=tree')
})

test('on a phone the available amount stands beside the name, in the list and in the tree', async () => {
  narrowToPhone()
  answer('get', '/api/Budget/Tree', [node('1', 1, '企业', '1234.00')])
  const heads = (): (string | null)[] =>
    screen.getAllByRole('columnheader').map(({ textContent }) => textContent)
  show()
  await screen.findByText('办公预算')
  expect(heads().slice(0, 3)).toEqual(['预算 / 归属', '可用', '周期 / 超出策略'])
  expect(heads()).toHaveLength(7)

  await userEvent.click(screen.getByText('树形'))
  const row = await screen.findByRole('row', { name: '企业' })
  expect(heads()).toEqual(['预算 / 归属', '可用', '周期 / 超出策略', '额度', '已使用', '已预占'])
  expect(within(row).getAllByRole('cell')[1]).toHaveTextContent('¥1,234.00')
})
