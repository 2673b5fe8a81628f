import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, test } from 'vitest'
import type { Delegation } from '@/domain/approvals/delegations'
import { pageOf } from '@/test/fixtures'
import { renderDeskAt } from '@/test/renderDesk'
import { answer, refuse, sent } from '@/test/server'
import { signIn } from '@/test/session'
import Delegations from './Delegations'

const row = (change: Partial<Delegation> = {}): Delegation => ({
  Id: '5',
  Delegator: { Id: '1', Name: '周主任' },
  Delegate: { Id: '9', Name: '小代' },
  ValidFrom: '2026-11-23',
  ValidUntil: '2026-11-27',
  Reason: '出差',
  Rules: [{ Id: '7', Name: '大额审批' }],
  AmountLimit: '5000.00',
  Warnings: [],
  DelegationStatus: 'coming',
  StatusText: '未开始',
  IsMine: true,
  UpdatedAt: '2026-11-20T09:00:00+08:00',
  ...change,
})
const person = userEvent.setup({ pointerEventsCheck: 0, delay: null })
const show = (): ReturnType<typeof renderDeskAt> =>
  renderDeskAt('/userCenter/order/approval', () => <Delegations onClose={() => {}} />)

beforeEach(() => {
  signIn()
  answer(
    'get',
    '/api/ApprovalDelegation',
    pageOf(row(), row({ Id: '6', IsMine: false, Delegator: { Id: '3', Name: '李总' } })),
  )
  answer('get', '/api/ApprovalDelegation/Colleagues', [])
  answer('get', '/api/ApprovalDelegation/Rules', [])
})

test('one of his own is changed on the spot, with what he saw', async () => {
  answer('patch', '/api/ApprovalDelegation/{DelegationId}', row())
  show()
  const own = await screen.findByRole('listitem', { name: '小代 代我审批' })
  expect(
    within(screen.getByRole('listitem', { name: '我代 李总 审批' })).queryByRole('button', {
      name: '修改',
    }),
  ).toBeNull()
  await person.click(within(own).getByRole('button', { name: '修改' }))
  const reason = screen.getByLabelText('原因（选填）')
  expect(reason).toHaveValue('出差')
  expect(screen.getByText('小代')).toBeVisible()
  expect(own).toHaveTextContent('代理范围：「大额审批」，¥5,000.00 及以下')
  await person.type(reason, '延长')
  await person.click(screen.getByRole('button', { name: '保存修改' }))
  await waitFor(() =>
    expect(sent.find(({ method }) => method === 'PATCH')?.body).toEqual({
      DelegateId: '9',
      ValidFrom: '2026-11-23',
      ValidUntil: '2026-11-27',
      RuleIds: ['7'],
      AmountLimit: '5000.00',
      Reason: '出差延长',
      UpdatedAt: '2026-11-20T09:00:00+08:00',
    }),
  )
  expect(await screen.findByRole('button', { name: '设置代理' })).toBeVisible()
})

test('Enter in a date takes it, and does not send the form', async () => {
  answer('patch', '/api/ApprovalDelegation/{DelegationId}', row())
  show()
  await person.click(
    within(await screen.findByRole('listitem', { name: '小代 代我审批' })).getByRole('button', {
      name: '修改',
    }),
  )
  for (const date of ['2026-11-23', '2026-11-27'])
    await person.type(screen.getByDisplayValue(date), '{Enter}')
  await person.type(screen.getByLabelText('原因（选填）'), '延长')
  expect(sent.filter(({ method }) => method === 'PATCH')).toEqual([])
})

test('who has looked at an older one is told', async () => {
  refuse('patch', '/api/ApprovalDelegation/{DelegationId}', {
    code: 'stale',
    message: '内容已变化',
    body: row(),
  })
  show()
  await person.click(
    within(await screen.findByRole('listitem', { name: '小代 代我审批' })).getByRole('button', {
      name: '修改',
    }),
  )
  await person.click(screen.getByRole('button', { name: '保存修改' }))
  expect(
    await screen.findByText('这条代理刚刚在别处被修改，请返回列表核对后再改'),
  ).toBeInTheDocument()
})

test('its history is one click away', async () => {
  answer('get', '/api/Change', pageOf())
  show()
  await person.click(
    within(await screen.findByRole('listitem', { name: '小代 代我审批' })).getByRole('button', {
      name: '变更记录',
    }),
  )
  await waitFor(() =>
    expect(sent.find(({ url }) => url.pathname === '/api/Change')?.url.search).toContain(
      'SubjectType=delegation',
    ),
  )
})
