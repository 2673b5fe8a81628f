import { expect, test } from 'vitest'
import { mayUse } from '@/domain/account/account'
import { session } from '@/lib/session'
import { signIn } from '@/test/session'
import { MENU, getTrail, visibleMenu } from './menu'

const labels = (codes: string[]): string[] =>
  visibleMenu(MENU, (code) => mayUse(code, session.get(), codes)).flatMap(({ entries }) =>
    entries.map(({ label }) => label),
  )

/** Requisitions, inquiries and the personal centre have no permission codes, except 代理审批. */
const EVERYBODYS = [
  '采购申请',
  '采购清单',
  '定期采购',
  '报价单',
  '意向商品询价',
  '消息通知',
  '个人信息',
  '修改密码',
  '我的提问',
  '我的收藏',
  '浏览历史',
  '到货提醒',
]

test('a group admin sees every entry', () => {
  signIn({ utype: 'GA' })
  expect(labels([])).toEqual(MENU.flatMap(({ entries }) => entries.map(({ label }) => label)))
})

test('others see the entries of their codes, and those without a code', () => {
  signIn()
  expect(labels(['order', 'order.approval'])).toEqual(
    ['我的工作台', '订单审批', ...EVERYBODYS].toSpliced(10, 0, '代理审批'),
  )
})

test('of a group whose code is missing only the entries without a code are left', () => {
  signIn()
  expect(labels(['order.list'])).toEqual(['我的工作台', ...EVERYBODYS])
})

test('an invoice lies below the records', () => {
  expect(getTrail('/userCenter/invoice/detail', '发票详情').map(({ label }) => label)).toEqual([
    '首页',
    '发票中心',
    '开票记录',
    '发票详情',
  ])
})

test('a review lies below the orders', () => {
  expect(getTrail('/userCenter/order/review/7', '评价商品').map(({ label }) => label)).toEqual([
    '首页',
    '我的订单',
    '订单列表',
    '评价商品',
  ])
})
