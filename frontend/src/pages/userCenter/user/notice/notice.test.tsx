import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { renderAt } from '@/test/render'
import { answer, refuse, sent } from '@/test/server'
import { signIn } from '@/test/session'
import { Component } from './index'

const HERE = '/userCenter/user/notice'
const notice = (Id: string, changed: object = {}): object => ({
  Id,
  Kind: 'approval_waiting',
  KindText: '待我审批',
  Section: 'approval',
  Title: `订单 SO${Id} 等待您审批`,
  Text: '金额 100.00 元',
  Link: `/userCenter/order/approval/${Id}`,
  NeedsAct: true,
  CreatedAt: '2026-11-22T10:00:00+08:00',
  ReadAt: null,
  ...changed,
})
const kind = (Kind: string, KindText: string, changed: object = {}): object => ({
  Kind,
  KindText,
  Section: 'order',
  SectionText: '订单',
  Page: true,
  PageFixed: false,
  Mail: 'daily',
  MailFixed: false,
  WeChatWork: false,
  ...changed,
})

const show = (Items: object[], at = HERE) => {
  signIn()
  answer('get', '/api/Notice/UnreadCount', { Count: Items.length })
  answer('get', '/api/Notice', { Items, Total: Items.length, PageIndex: 1, PageSize: 20 })
  answer('post', '/api/Notice/Read', { Read: 1, Count: 0 })
  return renderAt(at, Component, HERE)
}

const asked = (path: string): URLSearchParams[] =>
  sent
    .filter(({ method, url }) => method === 'GET' && url.pathname === path)
    .map(({ url }) => url.searchParams)

test('a notice says what it is about and leads there', async () => {
  show([notice('1')])
  expect(await screen.findByRole('link', { name: '订单 SO1 等待您审批' })).toHaveAttribute(
    'href',
    '/userCenter/order/approval/1',
  )
  expect(screen.getByText('金额 100.00 元')).toBeVisible()
  expect(screen.getByText('2026-11-22 10:00')).toBeVisible()
})

test('one is marked as read where it stands', async () => {
  show([notice('1')])
  await userEvent.click(
    await screen.findByRole('button', { name: '标为已读：订单 SO1 等待您审批' }),
  )
  await expect
    .poll(() => sent.filter(({ method }) => method === 'POST').map(({ body }) => body))
    .toEqual([{ Ids: ['1'] }])
})

test('the tab and the kind of thing narrow what is asked for', async () => {
  const { location } = show([notice('1')])
  await screen.findByText('金额 100.00 元')
  await userEvent.click(screen.getByRole('tab', { name: /^未读/ }))
  await userEvent.click(screen.getByRole('button', { name: '订单' }))
  expect(location()).toBe(`${HERE}?View=unread&Section=order`)
  await expect
    .poll(() => asked('/api/Notice').at(-1)?.toString())
    .toBe('Unread=true&Section=order&PageIndex=1&PageSize=20')
})

test('every kind that the server knows has its button', async () => {
  show([notice('1')])
  const kinds = await screen.findByRole('group', { name: '消息类型' })
  expect(
    within(kinds)
      .getAllByRole('button')
      .map(({ textContent }) => textContent),
  ).toEqual([
    '全部类型',
    '审批',
    '订单',
    '询价',
    '预算',
    '价格与协议',
    '发票',
    '账号安全',
    '报表',
    '表格导入',
    '系统对接',
  ])
})

test('no unread ones says so and leads to all', async () => {
  const { location } = show([], `${HERE}?View=unread`)
  await userEvent.click(await screen.findByRole('button', { name: '看全部消息' }))
  expect(location()).toBe(HERE)
})

test('a list that cannot be loaded can be asked for again', async () => {
  signIn()
  answer('get', '/api/Notice/UnreadCount', { Count: 0 })
  refuse('get', '/api/Notice', { status: 500, message: '服务器故障' })
  renderAt(HERE, Component)
  expect(await screen.findByRole('button', { name: '重新加载' })).toBeVisible()
})

const settings = async (changed: object = {}): Promise<void> => {
  const shown = {
    Items: [
      kind('approval_waiting', '待我审批', {
        SectionText: '审批',
        PageFixed: true,
        Mail: 'instant',
      }),
      kind('order_shipped', '订单发货'),
      kind('account_changed', '账号变更', {
        SectionText: '账号安全',
        PageFixed: true,
        MailFixed: true,
        Mail: 'instant',
      }),
    ],
    Email: 'buyer@example.com',
    WeChatWorkOffered: true,
    WeChatWorkBound: true,
    DigestHour: 9,
    ...changed,
  }
  answer('get', '/api/Notice/Preference', shown)
  answer('put', '/api/Notice/Preference', shown)
  show([], `${HERE}?View=settings`)
  await screen.findByRole('form', { name: '通知设置' })
}

test('what needs an act stays in the page, and the letter for safety always goes', async () => {
  await settings()
  expect(screen.getByRole('checkbox', { name: '待我审批：页面' })).toBeDisabled()
  expect(screen.queryByRole('combobox', { name: '账号变更：邮件' })).toBeNull()
  expect(
    within(screen.getByRole('row', { name: /账号变更/ })).getByText('始终发送，保障账号安全'),
  ).toBeVisible()
})

test('each way is named at its cell, for where a phone stacks them', async () => {
  await settings()
  expect(
    within(screen.getByRole('row', { name: /订单发货/ }))
      .getAllByRole('cell')
      .map((cell) => cell.dataset['way']),
  ).toEqual(['页面', '邮件', '企业微信'])
})

test('only what was changed is saved', async () => {
  await settings()
  expect(screen.getByRole('button', { name: '保存设置' })).toBeDisabled()
  await userEvent.selectOptions(
    screen.getByRole('combobox', { name: '订单发货：邮件' }),
    '立即发送',
  )
  await userEvent.click(screen.getByRole('checkbox', { name: '订单发货：企业微信' }))
  await userEvent.click(screen.getByRole('button', { name: '保存设置' }))
  await expect
    .poll(() => sent.find(({ method }) => method === 'PUT')?.body)
    .toEqual({ Items: [{ Kind: 'order_shipped', Page: true, Mail: 'instant', WeChatWork: true }] })
})

test('without an address no letter can be chosen', async () => {
  await settings({ Email: '', WeChatWorkOffered: false })
  expect(screen.getByRole('combobox', { name: '订单发货：邮件' })).toBeDisabled()
  expect(screen.getByRole('link', { name: '登记邮箱' })).toHaveAttribute(
    'href',
    '/userCenter/user/account',
  )
  expect(screen.queryByRole('columnheader', { name: '企业微信' })).toBeNull()
})
