import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, test } from 'vitest'
import { inquiryRow, pageOf, quotedLine } from '@/test/fixtures'
import { renderDeskAt } from '@/test/renderDesk'
import { answer, refuse, sent } from '@/test/server'
import { signIn } from '@/test/session'
import { Component } from '.'

const TABS = ['全部', '待报价', '已报价', '已采纳', '已关闭'].map((Name, at) => ({
  Code: ['', 'pending', 'quoted', 'adopted', 'closed'][at] ?? '',
  Name,
  Count: at === 0 ? 1 : 0,
}))
const lists = (...rows: ReturnType<typeof inquiryRow>[]): void =>
  answer('get', '/api/ProductInquiry', { ...pageOf(...rows), Tabs: TABS })
const show = (query = ''): ReturnType<typeof renderDeskAt> =>
  renderDeskAt(`/userCenter/order/productInquiry${query}`, Component)

beforeEach(() => {
  signIn()
  lists(
    inquiryRow({
      Status: 'quoted',
      StatusText: '已报价',
      ValidTo: '2026-12-21',
      Unread: 2,
      Lines: [quotedLine()],
    }),
  )
})

test('a row tells what was asked, the quote, until when, and what is new', async () => {
  show()
  const row = await screen.findByRole('row', { name: /XJ1/ })
  expect(within(row).getByRole('link', { name: 'XJ1' })).toHaveAttribute(
    'href',
    '/userCenter/order/productInquiry/XJ1',
  )
  for (const text of ['定制钢笔', '¥7.50', '2026-12-21 前有效', '2 条新消息', '已报价'])
    expect(row).toHaveTextContent(text)
})

test('the five tabs are counted, and one is kept in the address', async () => {
  const page = show()
  await screen.findByRole('row', { name: /XJ1/ })
  expect(screen.getAllByRole('tab').map(({ textContent }) => textContent)).toEqual([
    '全部1',
    '待报价0',
    '已报价0',
    '已采纳0',
    '已关闭0',
  ])
  await userEvent.click(screen.getByRole('tab', { name: /已报价/ }))
  await waitFor(() => expect(sent.at(-1)?.url.search).toContain('Status=quoted'))
  expect(page.location()).toContain('Status=quoted')
})

test('an empty list leads to the form', async () => {
  lists()
  show()
  expect(await screen.findByText('还没有询价单')).toBeVisible()
  expect(screen.getAllByRole('link', { name: '发起询价' })[0]).toHaveAttribute(
    'href',
    '/userCenter/order/productInquiry/apply',
  )
})

test('a list that cannot be loaded offers another try', async () => {
  refuse('get', '/api/ProductInquiry', { status: 500 })
  show()
  expect(await screen.findByRole('button', { name: '重新加载' })).toBeEnabled()
})
