import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { orderDetail } from '@/test/fixtures'
import { renderAt } from '@/test/render'
import { answer, refuse } from '@/test/server'
import { Component } from '.'

const show = (): ReturnType<typeof renderAt> => renderAt('/shop/state?OrderNo=SO1', Component)
const active = (
  Tasks: {
    Approver: { Id: string; Name: string }
    Status: string
    StatusText: string
    At: null
    Comment: string
  }[],
) =>
  orderDetail({
    Status: 'pending_approval',
    StatusText: '待审批',
    Approval: {
      Id: '1',
      Status: 'pending',
      Reasons: [],
      Steps: [
        {
          No: 1,
          RuleName: '',
          Mode: 'any',
          Status: 'active',
          StatusText: '审批中',
          Note: '',
          Tasks,
        },
      ],
      Amendments: [],
      Questions: [],
      AllowedActions: [],
    },
  })

test('it names who approves next', async () => {
  answer(
    'get',
    '/api/Order/{OrderNo}',
    active([
      {
        Approver: { Id: '8', Name: '周主任' },
        Status: 'pending',
        StatusText: '待审批',
        At: null,
        Comment: '',
      },
    ]),
  )
  show()
  expect(await screen.findByText('订单已提交给 周主任 审批，结果会在订单中显示')).toBeVisible()
})

test('without an approver of the customer the platform approves', async () => {
  answer('get', '/api/Order/{OrderNo}', active([]))
  show()
  expect(await screen.findByText('订单由平台客服审批，通过后进入处理')).toBeVisible()
})

test('an order to be paid online leads to the payment', async () => {
  answer('get', '/api/Order/{OrderNo}', orderDetail({ AllowedActions: ['pay'] }))
  show()
  expect(await screen.findByRole('button', { name: '去支付' })).toBeEnabled()
  expect(screen.getByText('请在 24 小时内完成支付，逾期订单将自动取消')).toBeVisible()
})

test('an order that needs nothing more says what happens now', async () => {
  answer('get', '/api/Order/{OrderNo}', orderDetail())
  show()
  expect(await screen.findByText('客服将尽快确认订单并安排发货')).toBeVisible()
  expect(screen.queryByRole('button', { name: '去支付' })).toBeNull()
  expect(screen.getByRole('link', { name: '查看订单' })).toHaveAttribute(
    'href',
    '/userCenter/order/detail?OrderNo=SO1',
  )
})

test('an order of somebody else is not shown', async () => {
  refuse('get', '/api/Order/{OrderNo}', {
    code: 'not_found',
    message: '订单不存在，或您无权查看',
    status: 404,
  })
  show()
  expect(await screen.findByRole('alert')).toHaveTextContent('订单不存在，或您无权查看')
  expect(screen.getByRole('link', { name: '查看我的订单' })).toHaveAttribute(
    'href',
    '/userCenter/order/index',
  )
})
