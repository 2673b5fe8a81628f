import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, test } from 'vitest'
import { approvalOf, orderDetail, pageOf } from '@/test/fixtures'
import { renderDeskAt } from '@/test/renderDesk'
import { answer, refuse, sent } from '@/test/server'
import { signIn } from '@/test/session'
import { Component } from '.'

const second = approvalOf({ Id: '22', SubjectNo: 'SO2', Requester: { Id: '6', Name: '老钱' } })
const show = (path = '/userCenter/order/approval'): ReturnType<typeof renderDeskAt> => renderDeskAt(path, Component, path.includes('/22') ? '/userCenter/order/approval/:id' : undefined)
const press = (name: string): Promise<void> => userEvent.click(screen.getByRole('button', { name }))
const wrote = (end: string) => sent.find(({ url }) => url.pathname.endsWith(end))?.body

beforeEach(() => {
  signIn()
  answer('get', '/api/Approval', pageOf(approvalOf(), second))
  answer('get', '/api/Approval/{ApprovalId}', approvalOf())
  answer('get', '/api/Order/{OrderNo}', orderDetail({ Budget: { Id: '9', Name: '行政部预算', Reserved: '5422.30', Consumed: '0.00', Available: '1000.00' } }))
})

test('the first of the list is open beside it, with reasons, goods and budget', async () => {
  show()
  const detail = await screen.findByRole('article', { name: '审批 SO1' })
  expect(detail).toHaveTextContent('订单金额达到 ¥2,000.00')
  expect(await within(detail).findByText('签字笔')).toBeVisible()
  expect(within(detail).getByRole('region', { name: '预算影响' })).toHaveTextContent('下单前可用¥6,422.30本单占用¥5,422.30下单后可用¥1,000.00')
})

test('an approval has its own address', async () => {
  answer('get', '/api/Approval/{ApprovalId}', second)
  show('/userCenter/order/approval/22')
  expect(await screen.findByRole('article', { name: '审批 SO2' })).toBeVisible()
})

test('an approval that is not there says so and leads back', async () => {
  refuse('get', '/api/Approval/{ApprovalId}', { code: 'not_found', message: '审批不存在，或您无权查看', status: 404 })
  show('/userCenter/order/approval/22')
  expect(await screen.findByText('审批不存在，或您无权查看')).toBeVisible()
  expect(screen.getByRole('link', { name: '返回审批列表' })).toHaveAttribute('href', '/userCenter/order/approval')
})

test('approving carries the comment', async () => {
  answer('post', '/api/Approval/{ApprovalId}/Approve', approvalOf({ Status: 'approved' }))
  show()
  await userEvent.type(await screen.findByLabelText('审批意见'), ' 同意采购 ')
  await press('同意')
  await waitFor(() => expect(wrote('/Approve')).toEqual({ Comment: '同意采购' }))
})

test('rejecting needs a reason', async () => {
  show()
  await screen.findByRole('button', { name: '驳回' })
  await press('驳回')
  await press('确认驳回')
  expect(screen.getByLabelText(/驳回原因/)).toHaveAccessibleDescription('请填写驳回原因')
  expect(wrote('/Reject')).toBeUndefined()
})

test('a rejection carries its reason', async () => {
  answer('post', '/api/Approval/{ApprovalId}/Reject', approvalOf({ Status: 'rejected' }))
  show()
  await screen.findByRole('button', { name: '驳回' })
  await press('驳回')
  await userEvent.type(screen.getByLabelText(/驳回原因/), '请合并下单')
  await press('确认驳回')
  await waitFor(() => expect(wrote('/Reject')).toEqual({ Reason: '请合并下单' }))
})

test('one whose turn it is not sees no buttons', async () => {
  answer('get', '/api/Approval/{ApprovalId}', approvalOf({ AllowedActions: [] }))
  show()
  await screen.findByRole('article', { name: '审批 SO1' })
  expect(screen.queryByRole('button', { name: '同意' })).toBeNull()
})

test('a bulk lists what was refused, with its number and reason', async () => {
  answer('post', '/api/Approval/BulkApprove', { Results: [{ Id: '21', Success: true, RetCode: '', RetMessage: '' }, { Id: '22', Success: false, RetCode: 'wrong_state', RetMessage: '该单据已被他人审批' }], Approved: 1, Refused: 1 })
  show()
  await userEvent.click(await screen.findByRole('checkbox', { name: '全选' }))
  await press('批量同意（2）')
  expect(await screen.findByRole('dialog', { name: '1 条未能同意' })).toHaveTextContent('SO2 该单据已被他人审批')
  expect(wrote('/BulkApprove')).toEqual({ Ids: ['21', '22'] })
})

test('an empty box says so in its own words', async () => {
  answer('get', '/api/Approval', pageOf())
  show('/userCenter/order/approval?Box=done')
  expect(await screen.findByText('您还没有审批过单据')).toBeVisible()
})

test('a box that cannot be loaded offers another try', async () => {
  refuse('get', '/api/Approval', { status: 500 })
  show()
  expect(await screen.findByRole('button', { name: '重新加载' })).toBeEnabled()
})
