import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { renderAt } from '@/test/render'
import { answer, sent } from '@/test/server'
import { getPercent } from './exports'
import { readFilters } from './filters'
import { ReportExport } from './ReportExport'

const JOB = {
  Id: '7',
  Report: 'OrderDetail',
  Title: '订单明细报表 2026-01-01 至 2026-01-31',
  State: 'running',
  StateText: '生成中',
  RowsDone: 2500,
  RowsTotal: 10_000,
  Attempts: 1,
  Error: '',
  FileName: '',
  Size: 0,
  CreatedAt: '2026-11-22T10:00:00+08:00',
  EndedAt: null,
  ExpiresAt: null,
  Actions: ['cancel'],
}
const list = (...Items: object[]): void =>
  answer('get', '/api/ExportJob', { Items, Total: Items.length, PageIndex: 1, PageSize: 20 })
const at = (query: string, total: number) =>
  renderAt(`/userCenter/report/orderDetail${query}`, () => (
    <ReportExport
      name="OrderDetail"
      filters={readFilters(new URLSearchParams('Period=year'))}
      total={total}
    />
  ))

test('a report of more than 5,000 rows is given to a worker, and the list opens', async () => {
  list()
  answer('post', '/api/ExportJob', JOB)
  const { location } = at('', 5001)
  await userEvent.click(screen.getByRole('button', { name: /^导\s?出$/ }))
  await waitFor(() => expect(location()).toBe('/userCenter/report/orderDetail?Exports=1'))
  expect(sent.find(({ method }) => method === 'POST')).toMatchObject({
    body: { Report: 'OrderDetail', Filters: { Period: 'year' } },
  })
})

test('the list stands in the address: after a reload it is open and says how far it is', async () => {
  list(JOB)
  at('?Exports=1', 10)
  expect(await screen.findByText('已写入 2,500 / 10,000 行')).toBeTruthy()
  expect(screen.getByRole('progressbar').getAttribute('aria-valuenow')).toBe('25')
})

test('what failed says why and begins anew', async () => {
  list({
    ...JOB,
    State: 'failed',
    StateText: '失败',
    Error: '生成文件时发生错误',
    Actions: ['retry'],
  })
  answer('post', '/api/ExportJob/{Id}/Retry', { ...JOB, State: 'queued' })
  at('?Exports=1', 10)
  expect(await screen.findByText('生成文件时发生错误')).toBeTruthy()
  await userEvent.click(screen.getByRole('button', { name: /重\s?试/ }))
  await waitFor(() => expect(sent.at(-1)?.url.pathname).toBe('/api/ExportJob'))
  expect(sent.some(({ url }) => url.pathname === '/api/ExportJob/7/Retry')).toBe(true)
})

test('only what is done is a hundred percent', () => {
  expect(getPercent({ State: 'running', RowsDone: 9999, RowsTotal: 10_000 })).toBe(99)
  expect(getPercent({ State: 'done', RowsDone: 10_000, RowsTotal: 10_000 })).toBe(100)
  expect(getPercent({ State: 'queued', RowsDone: 0, RowsTotal: 0 })).toBe(0)
})
