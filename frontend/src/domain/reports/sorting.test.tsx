import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { renderAt } from '@/test/render'
import type { ReportHead, ReportName, ReportPage } from './api'
import { columnsOf, hiddenOf, sortWord } from './columns'
import { readFilters } from './filters'
import { pageWords } from './pageWords'
import { ReportTable } from './ReportTable'
import { short } from './short'

const NONE = readFilters(new URLSearchParams())
const DAYS = { From: '2026-01-01', To: '2026-03-31' }
const HEAD = { ...DAYS, LastYear: { ...DAYS, Amount: '4.00', Change: '125.0' }, Totals: { Amount: '9.00', TaxAmount: '1.00', NetAmount: '8.00', Quantity: 3, Orders: 1 } } as unknown as ReportHead
const ROW = { RequesterId: '7', Name: '小林', UserName: 'lin', Department: '行政部', Enterprise: '星澜', Amount: '9.00', TaxAmount: '1.00', NetAmount: '8.00', Quantity: 3, Orders: 1, LastYear: '4.00', Change: '125.0' }

test.each([
  ['Order', ['SubmittedAt', 'Quantity', 'Amount', 'TaxAmount', 'NetAmount']],
  ['OrderDetail', ['At', 'Quantity', 'TaxAmount', 'NetAmount', 'Amount']],
  ['Product', ['Name', 'Quantity', 'Amount', 'TaxAmount', 'NetAmount', 'LastYear', 'Change']],
  ['Department', ['Department', 'Quantity', 'Amount', 'TaxAmount', 'NetAmount', 'LastYear', 'Change']],
  ['Purchaser', ['Name', 'Quantity', 'Amount', 'TaxAmount', 'NetAmount', 'LastYear', 'Change']],
] as [ReportName, string[]][])('the columns of %s that can be sorted by, each with its word', (name, keys) => {
  const sortable = columnsOf(name, NONE, HEAD).filter(({ sorter }) => sorter)
  expect(sortable.map(({ key }) => key)).toEqual(keys)
  expect(sortable.every(({ key }) => sortWord(name, key))).toBe(true)
})

test('names begin at the beginning of the alphabet, changes with the largest', async () => {
  const changes: object[] = []
  const page = { ...HEAD, Items: [ROW], Total: 1, PageIndex: 1, PageSize: 20 } as unknown as ReportPage
  renderAt('/', () => <ReportTable name="Purchaser" head={HEAD} page={page} error={null} retry={() => undefined} columns={columnsOf('Purchaser', NONE, HEAD)} sort={undefined} onChange={(change) => changes.push(change)} />)
  await userEvent.click((await screen.findAllByRole('columnheader', { name: /采购人/ }))[0] as HTMLElement)
  await userEvent.click(screen.getAllByRole('columnheader', { name: /同比/ })[0] as HTMLElement)
  expect(changes).toEqual([{ Sort: 'name' }, { Sort: '-change' }])
})

test('what is compared with a year before shows that year', () => {
  for (const name of ['Product', 'Department', 'Purchaser'] as const) expect(hiddenOf(name, NONE)).not.toContain('LastYear')
})

test('a figure without room for cents keeps three digits that say something', () => {
  expect([999, 12_000, 9_825_900, 32_257_700, 123_456_789, -212_707_000].map(short)).toEqual(['999', '1.2万', '982.6万', '3,226万', '1.23亿', '-2.13亿'])
})

test('paper says which rows it has, unless it has them all', () => {
  const page = (Total: number, PageIndex: number, PageSize: number, rows: number) => pageWords({ Items: Array.from({ length: rows }, () => ROW), Total, PageIndex, PageSize })
  expect(page(1379, 2, 1000, 379)).toBe('本页为第 1,001–1,379 行，共 1,379 行；合计为全部行')
  expect(page(5, 1, 20, 5)).toBeNull()
})
