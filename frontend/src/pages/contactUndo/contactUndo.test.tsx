import { fireEvent, screen } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { renderAt } from '@/test/render'
import { answer, refuse, sent } from '@/test/server'
import { Component } from './index'

const CHECK = '/api/Account/CheckContactUndo'
const UNDO = '/api/Account/UndoContact'
const change = {
  Kind: 'email',
  KindText: '邮箱',
  UserName: 'buyer',
  OldValue: 'b***@yf.example',
  NewValue: 't***@evil.example',
  ChangedAt: '2026-11-24T10:00:00+08:00',
  ExpiresAt: '2026-11-27T10:00:00+08:00',
  WeChatWorkMembers: [],
}
const open = (key: string): void => {
  window.location.hash = key && `#key=${key}`
  renderAt('/contactUndo', Component)
}
afterEach(() => {
  window.location.hash = ''
})

test('opening the link shows the change and undoes nothing', async () => {
  answer('post', CHECK, change)
  open('7:signed')
  expect(await screen.findByRole('heading', { name: '撤销更换邮箱' })).toBeVisible()
  expect(screen.getByText('b***@yf.example')).toBeVisible()
  expect(screen.getByText('t***@evil.example')).toBeVisible()
  expect(sent.map(({ url, body }) => [url.pathname, body])).toEqual([[CHECK, { Key: '7:signed' }]])
})

test('a click undoes it and leads to a new password', async () => {
  answer('post', CHECK, change)
  answer('post', UNDO, change)
  open('7:signed')
  fireEvent.click(await screen.findByRole('button', { name: '确认撤销' }))
  expect(await screen.findByRole('heading', { name: '已撤销更换' })).toBeVisible()
  expect(screen.getByRole('status')).toHaveTextContent(
    '账号 buyer 的邮箱已恢复为 b***@yf.example，该账号在所有设备上的登录已退出。',
  )
  expect(screen.getByRole('link', { name: '重置登录密码' })).toHaveAttribute(
    'href',
    '/resetPassword',
  )
  expect(sent.at(-1)?.body).toEqual({ Key: '7:signed' })
})

test('the page names the WeChat Work members whose bindings the undo removes', async () => {
  const withMember = { ...change, WeChatWorkMembers: ['thief'] }
  answer('post', CHECK, withMember)
  answer('post', UNDO, withMember)
  open('7:signed')
  expect(await screen.findByText('thief（撤销时解除）')).toBeVisible()
  fireEvent.click(screen.getByRole('button', { name: '确认撤销' }))
  expect(await screen.findByRole('status')).toHaveTextContent(
    '更换之后绑定的企业微信 thief 已解除。',
  )
})

test('a link whose time is over says so and offers nothing to undo', async () => {
  refuse('post', CHECK, {
    code: 'wrong_state',
    message: '该链接已失效：撤销链接 72 小时内有效，且只能使用一次',
  })
  open('7:signed')
  expect(await screen.findByText(/该链接已失效/)).toBeVisible()
  expect(screen.queryByRole('button', { name: '确认撤销' })).toBeNull()
})

test('a forged link is told in the words of the server', async () => {
  refuse('post', CHECK, { code: 'not_found', message: '链接无效，请从邮件中重新打开', status: 404 })
  open('7:forged')
  expect(await screen.findByText('链接无效，请从邮件中重新打开')).toBeVisible()
})

test('what was undone in another window meanwhile is told, and the change stays in sight', async () => {
  answer('post', CHECK, change)
  refuse('post', UNDO, {
    code: 'wrong_state',
    message: '该更换已于 11-24 10:05 撤销，无需重复操作',
  })
  open('7:signed')
  fireEvent.click(await screen.findByRole('button', { name: '确认撤销' }))
  expect(await screen.findByText('该更换已于 11-24 10:05 撤销，无需重复操作')).toBeVisible()
  expect(screen.getByText('b***@yf.example')).toBeVisible()
})

test('without a key there is nothing to undo', () => {
  open('')
  expect(screen.getByText('链接不完整，请从邮件中重新打开')).toBeVisible()
  expect(sent).toEqual([])
})
