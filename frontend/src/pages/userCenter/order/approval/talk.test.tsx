import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, test } from 'vitest'
import type { Decision, Remark } from '@/domain/approvals/approvals'
import { approvalOf, decidedOrder, decisionOf, pageOf } from '@/test/fixtures'
import { renderDeskAt } from '@/test/renderDesk'
import { answer, refuse, sent } from '@/test/server'
import { signIn } from '@/test/session'
import { Component } from '.'

const ALL = ['approve', 'reject', 'transfer', 'amend', 'ask']
const FIGURES = [
  { Name: '商品金额', Before: '100.00', After: '40.00' },
  { Name: '运费', Before: '0.00', After: '0.00' },
  { Name: '应付总额', Before: '100.00', After: '40.00' },
]
const line = decidedOrder().Lines[0]!
const wrote = (end: string) => sent.findLast(({ url }) => url.pathname.endsWith(end))?.body
const remark = (given: Partial<Remark> = {}): Remark => ({
  Id: '51',
  Kind: 'comment',
  KindText: '评论',
  By: { Id: '8', Name: '周主任' },
  ActingFor: null,
  At: '2026-11-20T10:00:00+08:00',
  Text: '先看一下',
  Mentions: [],
  QuestionId: null,
  Waits: false,
  ...given,
})

function show(given: Partial<Decision> = {}): void {
  answer(
    'get',
    '/api/Approval/{ApprovalId}/Decision',
    decisionOf({ Approval: approvalOf({ AllowedActions: ALL }), ...given }),
  )
  renderDeskAt('/userCenter/order/approval', Component)
}

beforeEach(() => {
  signIn()
  answer('get', '/api/Approval', { ...pageOf(approvalOf()), Tabs: [] })
  answer('get', '/api/Approval/Choices', { Requesters: [], Departments: [] })
})

test('quantities are lowered, what it changes is shown first, and the version seen is sent', async () => {
  answer('post', '/api/Approval/{ApprovalId}/AmendPreview', {
    Lines: [],
    Figures: FIGURES,
    Dropped: [{ No: 2, RuleName: '大额审批' }],
    Reasons: ['超出每单采购限额 ¥50.00（本单 ¥60.00）'],
  })
  answer('post', '/api/Approval/{ApprovalId}/Amend', approvalOf({ Version: 2 }))
  show({ Order: decidedOrder({ Lines: [{ ...line, MinQuantity: 2, StepQuantity: 2 }] }) })
  await userEvent.click(await screen.findByRole('button', { name: '调整数量' }))
  const panel = await screen.findByRole('region', { name: '调整数量' })
  expect(within(panel).getByRole('button', { name: '增加' })).toBeDisabled()
  await userEvent.click(within(panel).getByRole('button', { name: '减少' }))
  await waitFor(() =>
    expect(panel).toHaveTextContent('商品金额¥100.00 → ¥40.00应付总额¥100.00 → ¥40.00'),
  )
  expect(panel).toHaveTextContent('第 2 步（大额审批）将不再需要')
  expect(within(panel).getByRole('list', { name: '审批原因的变化' })).toHaveTextContent(
    '原：订单金额达到 ¥2,000.00现：超出每单采购限额 ¥50.00（本单 ¥60.00）',
  )
  expect(panel).not.toHaveTextContent('运费')
  expect(wrote('/AmendPreview')).toEqual({ Lines: [{ Id: '1', Quantity: 8 }] })
  await userEvent.type(within(panel).getByLabelText(/调整原因/), '库房还有{Enter}')
  await waitFor(() =>
    expect(wrote('/Amend')).toEqual({
      Lines: [{ Id: '1', Quantity: 8 }],
      Version: 1,
      Reason: '库房还有',
    }),
  )
  await waitFor(() => expect(screen.queryByRole('region', { name: '调整数量' })).toBeNull())
})

test('E opens it, Esc leaves it, and a line is dropped and taken back', async () => {
  answer('post', '/api/Approval/{ApprovalId}/AmendPreview', {
    Lines: [],
    Figures: FIGURES,
    Dropped: [],
    Reasons: [],
  })
  show({ Order: decidedOrder({ Lines: [line, { ...line, Id: '2', Name: '复印纸' }] }) })
  await screen.findByRole('button', { name: '调整数量' })
  await userEvent.keyboard('e')
  await userEvent.click(await screen.findByRole('button', { name: '移除 采优选 复印纸' }))
  await waitFor(() => expect(wrote('/AmendPreview')).toEqual({ Lines: [{ Id: '2', Quantity: 0 }] }))
  await userEvent.click(screen.getByRole('button', { name: '恢复 采优选 复印纸' }))
  expect(screen.getByRole('button', { name: '确认调整' })).toBeDisabled()
  await userEvent.keyboard('{Escape}')
  await waitFor(() => expect(screen.queryByRole('region', { name: '调整数量' })).toBeNull())
})

test('what cannot be is said before it is sent, and a reason is asked for', async () => {
  refuse('post', '/api/Approval/{ApprovalId}/AmendPreview', {
    code: 'validation',
    message: '至少保留一种商品；如全部不需要，请驳回',
  })
  show()
  await userEvent.click(await screen.findByRole('button', { name: '调整数量' }))
  await userEvent.click(await screen.findByRole('button', { name: '移除 采优选 签字笔' }))
  expect(await screen.findByText('至少保留一种商品；如全部不需要，请驳回')).toBeVisible()
  await userEvent.click(screen.getByRole('button', { name: '确认调整' }))
  expect(screen.getByLabelText(/调整原因/)).toHaveAccessibleDescription(
    '请填写调整原因，申请人会看到',
  )
  expect(wrote('/Amend')).toBeUndefined()
})

test('quantities that somebody else has changed close it', async () => {
  answer('post', '/api/Approval/{ApprovalId}/AmendPreview', {
    Lines: [],
    Figures: FIGURES,
    Dropped: [],
    Reasons: [],
  })
  refuse('post', '/api/Approval/{ApprovalId}/Amend', {
    code: 'stale',
    message: '刚刚被其他审批人调整',
  })
  show()
  await userEvent.click(await screen.findByRole('button', { name: '调整数量' }))
  await userEvent.click(await screen.findByRole('button', { name: '减少' }))
  await userEvent.type(screen.getByLabelText(/调整原因/), '多了{Enter}')
  await waitFor(() => expect(screen.queryByRole('region', { name: '调整数量' })).toBeNull())
})

test('what was taken out is told, was and is', async () => {
  show({
    Amendments: [
      {
        Id: '1',
        At: '2026-11-20T11:00:00+08:00',
        By: { Id: '8', Name: '周主任' },
        ActingFor: { Id: '9', Name: '李总' },
        Reason: '库房还有',
        Before: '100.00',
        After: '40.00',
        ReasonsBefore: ['订单金额 ¥100.00 达到 ¥50.00（大额）'],
        ReasonsAfter: [],
        Lines: [
          { LineId: '1', Code: '700001', Name: '签字笔', Unit: '支', Before: 10, After: 4 },
          { LineId: '2', Code: '700002', Name: '复印纸', Unit: '包', Before: 3, After: 0 },
        ],
        Figures: FIGURES,
      },
    ],
  })
  expect(await screen.findByRole('region', { name: '调整记录' })).toHaveTextContent(
    '周主任 代 李总 调整了数量 2026-11-20 11:00原因：库房还有签字笔10 支 → 4 支复印纸3 包 → 移除商品金额¥100.00 → ¥40.00',
  )
})

test('a question is asked back; Q does the same', async () => {
  answer('post', '/api/Approval/{ApprovalId}/Ask', approvalOf())
  show()
  await screen.findByRole('button', { name: '退回询问' })
  await userEvent.keyboard('q')
  await userEvent.type(screen.getByLabelText(/要问的问题/), '为什么要这么多？')
  await userEvent.click(screen.getByRole('button', { name: '发送问题' }))
  await waitFor(() => expect(wrote('/Ask')).toEqual({ Text: '为什么要这么多？' }))
})

test('who waits, and since when, stands in the chain', async () => {
  const [step] = approvalOf().Steps
  const AskedAt = new Date(Date.now() - 125 * 60_000).toISOString()
  show({ Approval: approvalOf({ Steps: [{ ...step!, StatusText: '待申请人答复', AskedAt }] }) })
  expect(await screen.findByRole('list', { name: '审批流程' })).toHaveTextContent(
    '待申请人答复已等待 2 小时 5 分',
  )
})

test('the requester answers the question that waits', async () => {
  answer('post', '/api/Approval/{ApprovalId}/Answer', approvalOf())
  show({
    Approval: approvalOf({ AllowedActions: ['withdraw', 'answer'] }),
    Discussion: [remark({ Kind: 'question', KindText: '退回询问', Text: '急吗？', Waits: true })],
  })
  const waiting = await screen.findByRole('region', { name: '待您答复' })
  expect(waiting).toHaveTextContent('周主任在 2026-11-20 10:00 询问')
  await userEvent.type(within(waiting).getByLabelText('您的答复'), ' 急 ')
  await userEvent.click(within(waiting).getByRole('button', { name: '答复' }))
  await waitFor(() => expect(wrote('/Answer')).toEqual({ QuestionId: '51', Text: '急' }))
})

test('@ offers colleagues; arrows and Enter choose, and who is still named is mentioned', async () => {
  answer('get', '/api/Approval/{ApprovalId}/Mention', [
    { Id: '7', Name: '张采购', Department: '行政部' },
    { Id: '9', Name: '小钱', Department: '财务部' },
  ])
  answer('post', '/api/Approval/{ApprovalId}/Comment', remark())
  show()
  const box = await screen.findByLabelText('写评论')
  await userEvent.type(box, '请 @')
  await screen.findByRole('option', { name: /小钱/ })
  await userEvent.keyboard('{ArrowDown}{Enter}')
  expect(box).toHaveValue('请 @小钱 ')
  await userEvent.type(box, '看预算 😀')
  await userEvent.keyboard('{Control>}{Enter}{/Control}')
  await waitFor(() =>
    expect(wrote('/Comment')).toEqual({ Text: '请 @小钱 看预算 😀', Mentions: ['9'] }),
  )
  await waitFor(() => expect(box).toHaveValue(''))
})

test('what was said is shown with those it names; nothing said says so', async () => {
  show({
    Discussion: [
      remark({ Text: '@小钱 看预算', Mentions: [{ Id: '9', Name: '小钱' }] }),
      remark({ Id: '52', Kind: 'answer', KindText: '答复', Text: '年会用' }),
    ],
  })
  const talk = await screen.findByRole('region', { name: '讨论' })
  expect(within(talk).getByText('@小钱').tagName).toBe('B')
  expect(talk).toHaveTextContent('答复年会用')
})

test('an empty discussion invites', async () => {
  show()
  expect(await screen.findByText('还没有人发言。有疑问可以在这里和同事商量。')).toBeVisible()
})
