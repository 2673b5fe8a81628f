import { screen } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { read, write } from '@/lib/storage'
import { renderAt } from '@/test/render'
import { answer, refuse, sent } from '@/test/server'
import { signIn } from '@/test/session'
import { Component } from './index'

const FOLLOW = '/api/Notice/Follow'
const keep = (key: string): void => write('session', 'MailLink', key)
afterEach(() => window.sessionStorage.clear())

test('signed in, the link leads to what it is about', async () => {
  signIn()
  keep('k1')
  answer('post', FOLLOW, { Link: '/userCenter/order/approval/7' })
  const { location } = renderAt('/mailLink', Component)
  await expect.poll(location).toBe('/userCenter/order/approval/7')
  expect(sent.map(({ body }) => body)).toEqual([{ Key: 'k1' }])
  expect(read('session', 'MailLink')).toBeNull()
})

test('a visitor is asked to sign in, and nothing is spent', () => {
  keep('k1')
  renderAt('/mailLink', Component)
  expect(screen.getByRole('link', { name: '登录后继续' })).toHaveAttribute(
    'href',
    '/login?redirect=%2FmailLink',
  )
  expect(sent).toEqual([])
  expect(read('session', 'MailLink')).toBe('k1')
})

test('a used link says so and shows the way', async () => {
  signIn()
  keep('k1')
  refuse('post', FOLLOW, {
    code: 'wrong_state',
    message: '该链接已于 11-22 10:00 使用过，每个链接只能使用一次',
    body: { Link: '/userCenter/order/approval/7' },
  })
  renderAt('/mailLink', Component)
  expect(await screen.findByText(/已于 11-22 10:00 使用过/)).toBeVisible()
  expect(screen.getByRole('link', { name: '前往查看' })).toHaveAttribute(
    'href',
    '/userCenter/order/approval/7',
  )
})

test("another's link says so and offers to sign in as somebody else", async () => {
  signIn()
  keep('k1')
  refuse('post', FOLLOW, {
    code: 'not_found',
    message: '链接无效，或不是发给当前登录账号的',
    status: 404,
  })
  renderAt('/mailLink', Component)
  expect(await screen.findByText('链接无效，或不是发给当前登录账号的')).toBeVisible()
  expect(screen.getByRole('button', { name: '退出，换账号登录' })).toBeVisible()
})

test('an address of another site is never followed', async () => {
  signIn()
  keep('k1')
  answer('post', FOLLOW, { Link: '//evil.example' })
  const { location } = renderAt('/mailLink', Component)
  await expect.poll(location).toBe('/userCenter/user/notice')
})

test('without a key there is nothing to open', () => {
  renderAt('/mailLink', Component)
  expect(screen.getByText('链接不完整，请从邮件中重新打开')).toBeVisible()
})
