import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { renderAt } from '@/test/render'
import { linesOf } from './drill'
import { shareOf, topOf, trendOf } from './drawings'
import { hiddenOf, hideWord } from './columns'
import { readFilters, toQuery } from './filters'
import { Heat } from './Heat'
import { treeOf } from './tree'
import { firstPage } from './useReport'
import { addressOf, keptOf, shownOf, type SavedView } from './views'

const read = (query: string) => readFilters(new URLSearchParams(query))
const PERIOD = { From: '2026-01-01', To: '2026-03-31' }

test('the address holds every filter, those with many values too', () => {
  expect(read('Basis=received&Status=completed&Status=cancelled&CategoryId=7&PageIndex=3')).toMatchObject({ Basis: 'received', Status: ['completed', 'cancelled'], CategoryId: '7', PageIndex: 3, PageSize: 20 })
})

test('the server is not asked for what only the page knows', () => {
  expect(toQuery(read('Hide=Amount&Period=month'), true)).toMatchObject({ Period: 'month', Charts: true })
  expect(toQuery(read('Hide=Amount'), true)).not.toHaveProperty('Hide')
})

test('the first page is the same whatever the page and the order of rows', () => {
  expect(firstPage(read('PageIndex=4&Sort=-tax&Basis=invoiced'))).toEqual(firstPage(read('Basis=invoiced')))
})

test('a drill keeps the filters, writes the period out and begins at the first page', () => {
  const to = linesOf(read('Basis=received&Period=quarter&RequesterId=9&PageIndex=3&Sort=tax&Hide=Amount'), PERIOD, { OwnDepartmentId: '5', Weekday: '2' })
  expect(to).toBe('/userCenter/report/orderDetail?Basis=received&Period=custom&From=2026-01-01&To=2026-03-31&OwnDepartmentId=5&RequesterId=9&Weekday=2')
})

test('a month of the trend opens that month alone', () => {
  const drawn = trendOf([{ From: '2026-01-01', To: '2026-01-31', Amount: '10.00', LastYear: '0.00' }])
  expect(drawn.rows[0]).toMatchObject({ name: '2026-01', narrowing: { Period: 'custom', From: '2026-01-01', To: '2026-01-31' } })
})

test('a trend of nothing is no chart', () => {
  expect(trendOf([{ From: '2026-01-01', To: '2026-01-31', Amount: '0.00', LastYear: '0.00' }]).rows).toEqual([])
})

test('freight is a slice of its own, what is below zero stands in the figures alone', () => {
  const drawn = shareOf([{ Key: '3', Name: '办公用纸', Amount: '9.00' }, { Key: '0', Name: '运费', Amount: '-1.00' }])
  expect(drawn.rows.map(({ narrowing }) => narrowing)).toEqual([{ CategoryId: '3' }, { ProductCode: '0' }])
  expect(JSON.stringify(drawn.option.series)).not.toContain('运费')
})

test('each first ten is narrowed by what it ranks', () => {
  const one = [{ Key: '8', Name: '总部 / 行政部', Amount: '9.00' }]
  expect(topOf('Department', one).rows[0]?.narrowing).toEqual({ OwnDepartmentId: '8' })
  expect(topOf('Product', one).rows[0]?.narrowing).toEqual({ ProductCode: '8' })
  expect(topOf('Purchaser', one).rows[0]?.narrowing).toEqual({ RequesterId: '8' })
})

test('a cell of the heat map is a link that says how much', async () => {
  const cells = [{ Key: '8', Weekday: 1, Amount: '12345.60' }]
  renderAt('/', () => <Heat title="部门 × 星期" departments={[{ Key: '8', Name: '总部 / 行政部', Amount: '12345.60' }]} cells={cells} go={({ Weekday }) => `/lines?w=${Weekday}`} />)
  expect(await screen.findByTitle('总部 / 行政部 周一 ¥12,345.60')).toHaveAttribute('href', '/lines?w=1')
  expect(screen.getByTitle('总部 / 行政部 周一 ¥12,345.60')).toHaveTextContent('1.2万')
})

test('a row whose parent is not offered stands at the top', () => {
  expect(treeOf([{ Id: '2', Name: '采购组', ParentId: '1' }, { Id: '3', Name: '一组', ParentId: '2' }])).toEqual([{ value: '2', title: '采购组', children: [{ value: '3', title: '一组' }] }])
})

test('some columns stand back until columns are chosen; all shown is a choice too', () => {
  expect(hiddenOf('Order', read(''))).toContain('CostCenter')
  expect(hiddenOf('Order', read(`Hide=${hideWord([])[0]}`))).toEqual([])
})

test('a view is known again whatever the order of its filters, and not once the page differs', () => {
  const view = { Id: '1', Name: '本月行政', Filters: { Sort: '-amount', DepartmentId: '7', Period: 'month', Hide: ['Tax'] } } as unknown as SavedView
  const page = read('Period=month&DepartmentId=7&Hide=Tax&Sort=-amount&PageIndex=4&PageSize=50')
  expect(shownOf([view], page)?.Name).toBe('本月行政')
  expect(shownOf([view], { ...page, DepartmentId: '8' })).toBeUndefined()
})

test('a view keeps what makes the figures, their order and the columns, and no page', () => {
  expect(keptOf(read('Period=month&Status=completed&Sort=-amount&Hide=Tax&PageIndex=4'))).toEqual({ Period: 'month', Status: ['completed'], Sort: '-amount', Hide: ['Tax'] })
  expect(addressOf({ Sort: '-amount', Period: 'month' })).toBe('?Period=month&Sort=-amount')
})
