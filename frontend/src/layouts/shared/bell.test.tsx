import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { session } from '@/lib/session'
import { renderAt } from '@/test/render'
import { answer, refuse, sent } from '@/test/server'
import { signIn } from '@/test/session'
import { Bell } from './Bell'

const notice = (Id: string, changed: object = {}): object => ({
  Id,
  Kind: 'order_shipped',
  KindText: '订单发货',
  Section: 'order',
  Title: `订单 SO${Id} 已发货`,
  Text: '',
  Link: `/userCenter/order/detail?OrderNo=SO${Id}`,
  NeedsAct: false,
  CreatedAt: '2026-11-22T10:00:00+08:00',
  ReadAt: null,
  ...changed,
})

const open = async (Items: object[], Count = Items.length) => {
  signIn()
  answer('get', '/api/Notice/UnreadCount', { Count })
  answer('get', '/api/Notice', { Items, Total: Items.length, PageIndex: 1, PageSize: 10 })
  answer('post', '/api/Notice/Read', { Read: 1, Count: 0 })
  const page = renderAt('/', Bell)
  await userEvent.click(screen.getByRole('button', { name: /^消息/ }))
  return page
}

const called = (path: string): unknown[] =>
  sent.filter(({ url }) => url.pathname === path).map(({ body }) => body)

test('the newest five are shown, and how many are unread', async () => {
  await open(['1', '2', '3', '4', '5', '6'].map((id) => notice(id)))
  expect(await screen.findByRole('link', { name: /SO1/ })).toHaveAttribute(
    'href',
    '/userCenter/order/detail?OrderNo=SO1',
  )
  expect(screen.getAllByRole('link', { name: /SO\d/ })).toHaveLength(5)
  expect(screen.getByRole('button', { name: '消息6' })).toBeVisible()
})

test('above 99 it says 99+', async () => {
  await open([notice('1')], 100)
  expect(await screen.findByRole('button', { name: '消息99+' })).toBeVisible()
})

test('opening one marks it as read and leads there', async () => {
  const { location } = await open([notice('1')])
  await userEvent.click(await screen.findByRole('link', { name: /SO1/ }))
  expect(location()).toBe('/userCenter/order/detail?OrderNo=SO1')
  await expect.poll(() => called('/api/Notice/Read')).toEqual([{ Ids: ['1'] }])
})

test('all are marked as read at once', async () => {
  await open([notice('1')])
  await screen.findByRole('link', { name: /SO1/ })
  await userEvent.click(screen.getByRole('button', { name: '全部标为已读' }))
  await expect.poll(() => called('/api/Notice/Read')).toEqual([{ All: true }])
})

test('what is read already cannot be marked again', async () => {
  await open([notice('1', { ReadAt: '2026-11-22T11:00:00+08:00' })], 0)
  await screen.findByRole('link', { name: /SO1/ })
  expect(screen.getByRole('button', { name: '全部标为已读' })).toBeDisabled()
  expect(screen.getByRole('button', { name: '消息' })).toBeVisible()
})

test('nothing yet says what will come', async () => {
  await open([])
  expect(await screen.findByText('还没有消息')).toBeVisible()
})

test('what cannot be loaded can be asked for again', async () => {
  signIn()
  answer('get', '/api/Notice/UnreadCount', { Count: 0 })
  refuse('get', '/api/Notice', { status: 500, message: '服务器故障' })
  renderAt('/', Bell)
  await userEvent.click(screen.getByRole('button', { name: '消息' }))
  expect(await screen.findByRole('button', { name: '重新加载' })).toBeVisible()
})

test('staff who act as the person leave it unread', async () => {
  const { location } = await open([notice('1')])
  const now = session.get()
  if (now) now.Acting = { By: '运营', Reason: '核对', Until: Date.now() + 60_000 }
  await userEvent.click(await screen.findByRole('link', { name: /SO1/ }))
  expect(location()).toBe('/userCenter/order/detail?OrderNo=SO1')
  expect(called('/api/Notice/Read')).toEqual([])
})
