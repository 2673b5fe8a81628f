import { render, screen } from '@testing-library/react'
import { createMemoryRouter, RouterProvider } from 'react-router-dom'
import { expect, test } from 'vitest'
import { getLines } from './drill'
import { shareOf, topOf, trendOf } from './drawings'
import { getColumns, hiddenOf, formatHidden } from './columns'
import { describeFilters } from './drillFilters'
import { DrillBack } from './DrillLink'
import { buildExportBody, getPeriod, readFilters, toQuery } from './filters'
import type { Choices, DepartmentRow } from './api'
import { getTree } from './tree'
import { firstPage } from './useReport'
import { getAddress, pickViewFilters, findShownView, type SavedView } from './views'
import { fake } from '@/test/fake'

const read = (query: string) => readFilters(new URLSearchParams(query))
const PERIOD = { From: '2026-01-01', To: '2026-03-31' }

test('the address holds every filter, those with many values too', () => {
  expect(
    read('Basis=received&Status=completed&Status=cancelled&CategoryId=7&PageIndex=3'),
  ).toMatchObject({
    Basis: 'received',
    Status: ['completed', 'cancelled'],
    CategoryId: '7',
    PageIndex: 3,
    PageSize: 20,
  })
})

test('the server is not asked for what only the page knows', () => {
  expect(toQuery(read('Hide=Amount&Period=month'), true)).toMatchObject({
    Period: 'month',
    Charts: true,
  })
  expect(toQuery(read('Hide=Amount'), true)).not.toHaveProperty('Hide')
})

test("days without a period are a period of one's own, as the server takes them", () => {
  expect([
    getPeriod(read('')),
    getPeriod(read('From=2026-01-01&To=2026-01-31')),
    getPeriod(read('Period=month&From=2026-01-01')),
  ]).toEqual(['twelve_months', 'custom', 'month'])
})

test('the first page is the same whatever the page and the order of rows', () => {
  expect(firstPage(read('PageIndex=4&Sort=-tax&Basis=invoiced'))).toEqual(
    firstPage(read('Basis=invoiced')),
  )
})

test('a drill keeps the filters, writes the period out and begins at the first page', () => {
  const to = getLines(
    read('Basis=received&Period=quarter&RequesterId=9&PageIndex=3&Sort=tax&Hide=Amount'),
    PERIOD,
    { OwnDepartmentId: '5', Weekday: '2' },
  )
  expect(to).toBe(
    '/userCenter/report/orderDetail?Basis=received&Period=custom&From=2026-01-01&To=2026-03-31&OwnDepartmentId=5&RequesterId=9&Weekday=2',
  )
})

test('a month of the trend opens that month alone', () => {
  const drawn = trendOf([
    { From: '2026-01-01', To: '2026-01-31', Amount: '10.00', LastYear: '0.00' },
  ])
  expect(drawn.rows[0]).toMatchObject({
    name: '2026-01',
    narrowing: { Period: 'custom', From: '2026-01-01', To: '2026-01-31' },
  })
})

test('a trend of nothing is no chart', () => {
  expect(
    trendOf([{ From: '2026-01-01', To: '2026-01-31', Amount: '0.00', LastYear: '0.00' }]).rows,
  ).toEqual([])
})

test('freight is a slice of its own, what is below zero stands in the figures alone', () => {
  const drawn = shareOf([
    { Key: '3', Name: '办公用纸', Amount: '9.00' },
    { Key: '0', Name: '运费', Amount: '-1.00' },
  ])
  expect(drawn.rows.map(({ narrowing }) => narrowing)).toEqual([
    { CategoryId: '3' },
    { ProductCode: '0' },
  ])
  expect(JSON.stringify(drawn.option.series)).not.toContain('运费')
})

test('each first ten is narrowed by what it ranks', () => {
  const one = [{ Key: '8', Name: '总部 / 行政部', Amount: '9.00' }]
  expect(topOf('Department', one).rows[0]?.narrowing).toEqual({ OwnDepartmentId: '8' })
  expect(topOf('Product', one).rows[0]?.narrowing).toEqual({ ProductCode: '8' })
  expect(topOf('Purchaser', one).rows[0]?.narrowing).toEqual({ RequesterId: '8' })
})

test('a row whose parent is not offered stands at the top', () => {
  expect(
    getTree([
      { Id: '2', Name: '采购组', ParentId: '1' },
      { Id: '3', Name: '一组', ParentId: '2' },
    ]),
  ).toEqual([{ value: '2', title: '采购组', children: [{ value: '3', title: '一组' }] }])
})

test('some columns stand back until columns are chosen; all shown is a choice too', () => {
  expect(hiddenOf('Order', read(''))).toContain('CostCenter')
  expect(hiddenOf('Order', read(`Hide=${formatHidden([])[0]}`))).toEqual([])
})

test('a view is known again whatever the order of its filters, and not once the page differs', () => {
  const view = fake<SavedView>({
    Id: '1',
    Name: '本月行政',
    Filters: { Sort: '-amount', DepartmentId: '7', Period: 'month', Hide: ['Tax'] },
  })
  const page = read('Period=month&DepartmentId=7&Hide=Tax&Sort=-amount&PageIndex=4&PageSize=50')
  expect(findShownView([view], page)?.Name).toBe('本月行政')
  expect(findShownView([view], { ...page, DepartmentId: '8' })).toBeUndefined()
})

test('a view keeps what makes the figures, their order and the columns, and no page', () => {
  expect(
    pickViewFilters(read('Period=month&Status=completed&Sort=-amount&Hide=Tax&PageIndex=4')),
  ).toEqual({
    Period: 'month',
    Status: ['completed'],
    Sort: '-amount',
    Hide: ['Tax'],
  })
  expect(getAddress({ Sort: '-amount', Period: 'month' })).toBe('?Period=month&Sort=-amount')
})

test('each slice of the share says how much of the whole it is, to be read on paper too', () => {
  const { option } = shareOf([
    { Key: '3', Name: '办公用纸', Amount: '3.00' },
    { Key: '4', Name: '笔', Amount: '1.00' },
  ])
  const { formatter } = option.legend as { formatter: (name: string) => string }
  expect([formatter('办公用纸'), formatter('笔')]).toEqual(['办公用纸  75.0%', '笔  25.0%'])
})

test('the figures of a row open its lines, those compared with the lines of their own days', () => {
  const head = {
    ...PERIOD,
    Previous: { From: '2025-10-01', To: '2025-12-31' },
    LastYear: { From: '2025-01-01', To: '2025-03-31' },
  }
  const row = fake<DepartmentRow>({
    Department: '总部 / 行政部',
    DepartmentId: '5',
    Enterprise: '星澜',
    EnterpriseId: '1',
    Amount: '9.00',
    Previous: '6.00',
    LastYear: '4.00',
  })
  const cell = (key: string) =>
    getColumns('Department', read('Basis=received'), head)
      .find((column) => column.key === key)
      ?.render?.(undefined, row, 0) as React.ReactElement<{ to: string }>
  const lines = '&OwnDepartmentId=5'
  expect(cell('Amount').props.to).toBe(
    `/userCenter/report/orderDetail?Basis=received&Period=custom&From=2026-01-01&To=2026-03-31&EnterpriseId=1${lines}`,
  )
  expect(cell('Previous').props.to).toBe(
    `/userCenter/report/orderDetail?Basis=received&Period=custom&From=2025-10-01&To=2025-12-31&EnterpriseId=1${lines}`,
  )
  expect(cell('LastYear').props.to).toBe(
    `/userCenter/report/orderDetail?Basis=received&Period=custom&From=2025-01-01&To=2025-03-31&EnterpriseId=1${lines}`,
  )
})

test('the amount of the order lines stands last and is held in sight', () => {
  const head = { ...PERIOD, Previous: PERIOD, LastYear: PERIOD }
  expect(getColumns('OrderDetail', read(''), head).at(-1)).toMatchObject({
    key: 'Amount',
    fixed: 'right',
  })
})

test('paper names every filter that is set', () => {
  const data = fake<Choices>({
    Departments: [{ Id: '5', Name: '行政部', ParentId: null }],
    Requesters: [],
    Categories: [],
    Budgets: [],
    Enterprises: [],
  })
  expect(
    describeFilters(
      read('DepartmentId=5&Status=completed&Status=cancelled&Weekday=2&PurchaseOrderNo=PO-1'),
      data,
    ),
  ).toEqual([
    '部门（含下级）：行政部',
    '星期：仅周二',
    '订单状态：已完成、已取消',
    '采购单号：PO-1',
  ])
  expect(describeFilters(read('Period=month'), data)).toEqual([])
})

test('who clicked a figure finds the way back to it, who came by the menu does not', async () => {
  const at = (state?: object) =>
    render(
      <RouterProvider
        router={createMemoryRouter([{ path: '*', element: <DrillBack /> }], {
          initialEntries: [{ pathname: '/lines', state }],
        })}
      />,
    )
  const { unmount } = at({ drilledFrom: '/userCenter/report/department?Period=month' })
  expect(await screen.findByRole('link', { name: '返回部门报表' })).toHaveAttribute(
    'href',
    '/userCenter/report/department?Period=month',
  )
  unmount()
  at()
  expect(screen.queryByRole('link')).toBeNull()
})

test('the filter of overrunning budgets reaches the server, the export, a view and the lines', () => {
  const filters = read('Overrunning=true')
  expect(toQuery(filters, false)).toMatchObject({ Overrunning: 'true' })
  expect(buildExportBody(filters)).toMatchObject({ Overrunning: true })
  expect(pickViewFilters(filters)).toEqual({ Overrunning: 'true' })
  expect(getLines(filters, PERIOD, {})).toContain('Overrunning=true')
  expect(describeFilters(filters, undefined)).toEqual(['预算范围：仅预计超出的预算'])
})
