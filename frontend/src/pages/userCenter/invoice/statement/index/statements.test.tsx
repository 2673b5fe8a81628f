import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, test } from 'vitest'
import { pageOf } from '@/test/fixtures'
import { renderDeskAt } from '@/test/renderDesk'
import { answer, refuse, sent } from '@/test/server'
import { signIn } from '@/test/session'
import { statementDetail } from '@/test/statements'
import { Component } from '.'
import { getFields } from './filters'

const show = (query = ''): ReturnType<typeof renderDeskAt> =>
  renderDeskAt(`/userCenter/invoice/statement${query}`, Component)
const asked = (path: string): string[] =>
  sent.filter(({ url }) => url.pathname === path).map(({ url }) => url.search)

beforeEach(() => {
  signIn()
  answer('get', '/api/Statement/Debts', [])
  answer('get', '/api/Enterprise', pageOf({ Id: '1', Name: '示例公司', Code: 'A' }))
  answer(
    'get',
    '/api/Statement',
    pageOf(
      statementDetail(),
      statementDetail({
        Id: '8',
        Month: '2026-09',
        Status: 'confirmed',
        StatusText: '已确认',
        ConfirmedAt: '2026-10-03T09:20:00+08:00',
      }),
    ),
  )
})

test('a month reads as the sum it is, opens its page and says what is to be done', async () => {
  show()
  const row = (await screen.findByText('2026年10月')).closest('tr')
  expect(screen.getAllByRole('columnheader').map(({ textContent }) => textContent)).toEqual([
    '账期与企业',
    '状态',
    '期初应付',
    '＋ 本期签收',
    '－ 本期退货',
    '－ 本期付款',
    '＝ 期末应付',
    '本期开票',
    '操作',
  ])
  expect(row).toHaveTextContent(
    '2026年10月示例公司待确认¥76.00¥1,238.50¥43.05¥800.00¥471.45¥1,195.45核对',
  )
  expect(screen.getByText('已确认').closest('td')).toHaveTextContent('已确认2026-10-03')
  expect(screen.getByRole('link', { name: '2026年9月' })).toHaveAttribute(
    'href',
    '/userCenter/invoice/statement/8',
  )
  expect(screen.getByRole('link', { name: '查看 示例公司 2026年9月对账单' })).toBeVisible()
})

const debt = (EnterpriseName: string, Total: string, Overdue: string): unknown => ({
  EnterpriseId: EnterpriseName,
  EnterpriseName,
  CreditDays: 30,
  Total,
  Overdue,
  Prepaid: '0.00',
  Ages: [
    { Code: 'not_due', Name: '未到期', Amount: '50.00' },
    { Code: 'up_to_30', Name: '逾期 1–30 天', Amount: Overdue },
  ],
})

test('what is owed today is told by age, an enterprise a row, none for who owes nothing', async () => {
  answer('get', '/api/Statement/Debts', [
    debt('精工公司', '80.00', '30.00'),
    debt('电气公司', '50.00', '0.00'),
    debt('物业公司', '0.00', '0.00'),
  ])
  show()
  const owed = await screen.findByRole('region', { name: '应付账龄' })
  expect(owed).toHaveTextContent('截至今天应付 ¥130.00，其中逾期 ¥30.00')
  expect(
    within(owed)
      .getAllByRole('row')
      .slice(1)
      .map(({ textContent }) => textContent),
  ).toEqual(['精工公司账期 30 天¥50.00¥30.00¥80.00', '电气公司账期 30 天¥50.00¥0.00¥50.00'])
})

test('the sheet of a month is fetched from its row', async () => {
  answer('get', '/api/Statement/{Id}/Export', null)
  show()
  await userEvent.click(
    await screen.findByRole('button', { name: '导出 示例公司 2026年10月对账单' }),
  )
  await waitFor(() => expect(sent.at(-1)?.url.pathname).toBe('/api/Statement/9/Export'))
})

test('the filters of the address are asked for', async () => {
  show('?Status=disputed&EnterpriseId=2&From=2026-08&To=2026-10&PageIndex=2')
  await screen.findByText('2026年10月')
  expect(asked('/api/Statement')).toEqual([
    '?Status=disputed&EnterpriseId=2&From=2026-08&To=2026-10&PageIndex=2&PageSize=20',
  ])
})

test('an enterprise is asked for only where there are several', () => {
  const labels = (count: number): string[] =>
    getFields(Array.from({ length: count }, (_, n) => ({ Id: String(n), Name: `公司${n}` }))).map(
      ({ label }) => label,
    )
  expect(labels(1)).toEqual(['起始账期', '截止账期', '状态'])
  expect(labels(2)).toEqual(['企业', '起始账期', '截止账期', '状态'])
})

test('no statement says when there will be one, none under the filter says so', async () => {
  answer('get', '/api/Statement', pageOf())
  const page = show()
  expect(await screen.findByText('还没有对账单')).toBeVisible()
  page.unmount()
  show('?Status=disputed')
  expect(await screen.findByText('没有符合条件的对账单')).toBeVisible()
})

test('what could not be loaded is loaded again', async () => {
  refuse('get', '/api/Statement', { status: 500 })
  show()
  const retry = await screen.findByRole('button', { name: '重新加载' })
  answer('get', '/api/Statement', pageOf(statementDetail()))
  await userEvent.click(retry)
  expect(within(await screen.findByRole('table')).getByText('2026年10月')).toBeVisible()
})
