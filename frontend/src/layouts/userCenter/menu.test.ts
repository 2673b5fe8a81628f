import { expect, test } from 'vitest'
import { mayUse } from '@/domain/account/account'
import { session } from '@/lib/session'
import { signIn } from '@/test/session'
import { MENU, visibleMenu } from './menu'

const labels = (codes: string[]): string[] =>
  visibleMenu(MENU, (code) => mayUse(code, session.get(), codes)).flatMap(({ entries }) => entries.map(({ label }) => label))

test('a group admin sees every entry', () => {
  signIn({ utype: 'GA' })
  expect(labels([])).toEqual(MENU.flatMap(({ entries }) => entries.map(({ label }) => label)))
})

test('others see the entries of their codes, and those without a code', () => {
  signIn()
  expect(labels(['order', 'order.approval'])).toEqual(['我的工作台', '订单审批'])
})

test('a group whose code is missing is hidden with all its entries', () => {
  signIn()
  expect(labels(['order.list'])).toEqual(['我的工作台'])
})
