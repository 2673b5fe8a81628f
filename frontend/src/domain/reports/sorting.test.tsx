import { cleanup, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test, vi } from 'vitest'
import { renderAt } from '@/test/render'
import type { ReportHead, ReportName, ReportPage } from './api'
import { BudgetPanel } from './BudgetPanel'
import { getColumns, hiddenOf, getSortKey } from './columns'
import { Filters } from './Filters'
import { readFilters } from './filters'
import { describePage } from './describePage'
import { forPhone, ReportTable } from './ReportTable'
import { short } from './short'
import { fake } from '@/test/fake'

const NONE = readFilters(new URLSearchParams())
const DAYS = { From: '2026-01-01', To: '2026-03-31' }
const HEAD = fake<ReportHead>({
  ...DAYS,
  Previous: { From: '2025-10-01', To: '2025-12-31', Amount: '6.00', Change: '50.0' },
  LastYear: { ...DAYS, Amount: '4.00', Change: '125.0' },
  Totals: { Amount: '9.00', TaxAmount: '1.00', NetAmount: '8.00', Quantity: 3, Orders: 1 },
})
const ROW = {
  RequesterId: '7',
  Name: '小林',
  UserName: 'lin',
  Department: '行政部',
  Enterprise: '星澜',
  Amount: '9.00',
  TaxAmount: '1.00',
  NetAmount: '8.00',
  Quantity: 3,
  Orders: 1,
  Previous: '6.00',
  PreviousChange: '50.0',
  LastYear: '4.00',
  Change: '125.0',
}

test.each([
  ['Order', ['SubmittedAt', 'Quantity', 'TaxAmount', 'NetAmount', 'Amount']],
  ['OrderDetail', ['At', 'Quantity', 'TaxAmount', 'NetAmount', 'Amount']],
  [
    'Product',
    [
      'Name',
      'Orders',
      'Quantity',
      'Amount',
      'TaxAmount',
      'NetAmount',
      'Previous',
      'PreviousChange',
      'LastYear',
      'Change',
    ],
  ],
  [
    'Department',
    [
      'Department',
      'Orders',
      'Quantity',
      'Amount',
      'TaxAmount',
      'NetAmount',
      'Previous',
      'PreviousChange',
      'LastYear',
      'Change',
    ],
  ],
  [
    'Purchaser',
    [
      'Name',
      'Orders',
      'Quantity',
      'Amount',
      'TaxAmount',
      'NetAmount',
      'Previous',
      'PreviousChange',
      'LastYear',
      'Change',
    ],
  ],
] as [ReportName, string[]][])(
  'the columns of %s that can be sorted by, each with its word',
  (name, keys) => {
    const sortable = getColumns(name, NONE, HEAD).filter(({ sorter }) => sorter)
    expect(sortable.map(({ key }) => key)).toEqual(keys)
    expect(sortable.every(({ key }) => getSortKey(name, key))).toBe(true)
  },
)

test('names begin at the beginning of the alphabet, changes with the largest', async () => {
  const changes: object[] = []
  const page = fake<ReportPage>({
    ...HEAD,
    Items: [ROW],
    Total: 1,
    PageIndex: 1,
    PageSize: 20,
  })
  renderAt('/', () => (
    <ReportTable
      name="Purchaser"
      head={HEAD}
      page={page}
      error={null}
      retry={() => undefined}
      columns={getColumns('Purchaser', NONE, HEAD)}
      sort={undefined}
      onChange={(change) => changes.push(change)}
    />
  ))
  await userEvent.click(
    (await screen.findAllByRole('columnheader', { name: /采购人/ }))[0] as HTMLElement,
  )
  await userEvent.click(screen.getAllByRole('columnheader', { name: /同比/ })[0] as HTMLElement)
  expect(changes).toEqual([{ Sort: 'name' }, { Sort: '-change' }])
})

test('twelve months are beside the year before alone, which is their period before', () => {
  const keys = (head: ReportHead) => getColumns('Product', NONE, head).map(({ key }) => key)
  expect(keys(HEAD)).toContain('PreviousChange')
  expect(keys({ ...HEAD, Previous: HEAD.LastYear })).not.toContain('PreviousChange')
  expect(keys({ ...HEAD, Previous: HEAD.LastYear })).toContain('LastYear')
})

test('the column of 环比 stands over its total', () => {
  const page = fake<ReportPage>({
    ...HEAD,
    Items: [ROW],
    Total: 1,
    PageIndex: 1,
    PageSize: 20,
  })
  renderAt('/', () => (
    <ReportTable
      name="Purchaser"
      head={HEAD}
      page={page}
      error={null}
      retry={() => undefined}
      columns={getColumns('Purchaser', NONE, HEAD)}
      sort={undefined}
      onChange={() => undefined}
    />
  ))
  expect(screen.getAllByText('+50.0%')).toHaveLength(2)
  expect(screen.getAllByText('¥6.00')).toHaveLength(2)
})

test('what is compared with a year before shows that year', () => {
  for (const name of ['Product', 'Department', 'Purchaser'] as const)
    expect(hiddenOf(name, NONE)).not.toContain('LastYear')
})

test('what is compared with the period before shows the change, its figure when chosen', () => {
  for (const name of ['Product', 'Department', 'Purchaser'] as const)
    expect(
      ['Previous', 'PreviousChange'].filter((key) => hiddenOf(name, NONE).includes(key)),
    ).toEqual(['Previous'])
})

test('a figure without room for cents keeps three digits that say something', () => {
  expect([999, 12_000, 9_825_900, 32_257_700, 123_456_789, -212_707_000].map(short)).toEqual([
    '999',
    '1.2万',
    '982.6万',
    '3,226万',
    '1.23亿',
    '-2.13亿',
  ])
})

test('paper says which rows it has, unless it has them all', () => {
  const page = (Total: number, PageIndex: number, PageSize: number, rows: number) =>
    describePage({ Items: Array.from({ length: rows }, () => ROW), Total, PageIndex, PageSize })
  expect(page(1379, 2, 1000, 379)).toBe('本页为第 1,001–1,379 行，共 1,379 行；合计为全部行')
  expect(page(5, 1, 20, 5)).toBeNull()
})

test('on a phone the available amount of a budget is the second column; other reports keep theirs', () => {
  const keys = (name: ReportName): string[] => getColumns(name, NONE, HEAD).map(({ key }) => key)
  const moved = (name: ReportName): string[] =>
    forPhone(getColumns(name, NONE, HEAD)).map(({ key }) => key)
  expect(moved('Budget').slice(0, 3)).toEqual(['Name', 'Available', 'Overrun'])
  expect(moved('Budget').toSorted()).toEqual(keys('Budget').toSorted())
  expect(moved('Purchaser')).toEqual(keys('Purchaser'))
})

test('the number of budgets that will overrun puts them first in the rows', async () => {
  const totals = fake<NonNullable<ReportHead['Budgets']>>({ Count: 63, Overrunning: 2 })
  const first = vi.fn<() => void>()
  renderAt('/', () => <BudgetPanel totals={totals} onOverrunFirst={first} />)
  expect(await screen.findByText(/2 个预算预计超出额度。/)).toBeVisible()
  await userEvent.click(screen.getByRole('button', { name: '在明细中置顶' }))
  expect(first).toHaveBeenCalledOnce()
})

test('the budget report filters to the budgets that will overrun; other reports have no such field', async () => {
  const change = vi.fn<(to: object) => void>()
  renderAt('/', () => <Filters name="Budget" value={NONE} shown={undefined} onChange={change} />)
  await userEvent.click(await screen.findByRole('checkbox', { name: '只看预计超出' }))
  expect(change).toHaveBeenCalledWith({ Overrunning: 'true' })
  cleanup()
  renderAt('/', () => <Filters name="Product" value={NONE} shown={undefined} onChange={change} />)
  expect(await screen.findByText('统计期间')).toBeVisible()
  expect(screen.queryByRole('checkbox', { name: '只看预计超出' })).toBeNull()
})
