import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { delay, http } from 'msw'
import { beforeEach, describe, expect, test } from 'vitest'
import { approvalOf, decidedOrder, decisionOf, pageOf } from '@/test/fixtures'
import { renderDeskAt } from '@/test/renderDesk'
import { answer, refuse, sent, server } from '@/test/server'
import { signIn } from '@/test/session'
import { Component } from '.'

const DECISION = '/api/Approval/{ApprovalId}/Decision'
const second = approvalOf({ Id: '22', SubjectNo: 'SO2', Requester: { Id: '6', Name: '老钱' } })
const TABS = [
  { Code: 'todo', Name: '待我审批', Count: 2 },
  { Code: 'done', Name: '我已审批', Count: 16 },
  { Code: 'mine', Name: '我发起的', Count: 0 },
  { Code: 'copied', Name: '抄送我的', Count: 0 },
] as const
const boxOf = (...rows: ReturnType<typeof approvalOf>[]) => ({
  ...pageOf(...rows),
  Tabs: [...TABS],
})
const show = (path = '/userCenter/order/approval'): ReturnType<typeof renderDeskAt> =>
  renderDeskAt(path, Component, path.includes('/22') ? '/userCenter/order/approval/:id' : undefined)
const press = (name: string): Promise<void> => userEvent.click(screen.getByRole('button', { name }))
const wrote = (end: string) => sent.find(({ url }) => url.pathname.endsWith(end))?.body

beforeEach(() => {
  signIn()
  answer('get', '/api/Approval', boxOf(approvalOf(), second))
  answer('get', '/api/Approval/Choices', {
    Requesters: [{ Id: '7', Name: '张采购' }],
    Departments: [{ Id: '3', Name: '行政部' }],
  })
  answer('get', DECISION, decisionOf())
})

test('while a box loads, it is not called empty because the box before it was', async () => {
  answer('get', '/api/Approval', boxOf())
  show('/userCenter/order/approval?Box=todo')
  await screen.findByText('没有等待您审批的单据')
  server.use(http.get('/api/Approval', () => delay('infinite')))
  await userEvent.click(screen.getByRole('tab', { name: /我已审批/ }))
  await waitFor(() => expect(document.querySelector('[aria-busy="true"]')).not.toBeNull())
  expect(screen.queryByText('有新的单据会出现在这里')).toBeNull()
})

test('the first of the list is open beside it, with reasons, budget and month', async () => {
  const budget = {
    Name: '行政部预算',
    PeriodFrom: '2026-11-01',
    PeriodTo: '2026-11-30',
    Amount: '8000.00',
    Before: '6422.30',
    Taken: '5422.30',
    After: '1000.00',
    Parents: [{ Name: '企业年度', Policy: 'warn' as const, Available: '-3.00' }],
  }
  answer(
    'get',
    DECISION,
    decisionOf({
      Order: decidedOrder({
        Budget: budget,
        Earmarks: [
          {
            Name: '用纸专项',
            EarmarkText: '类目“办公用纸”',
            UsedName: '',
            Amount: '500.00',
            Before: '90.00',
            Taken: '100.00',
            After: '-10.00',
          },
        ],
        Month: { Orders: 2, Amount: '40.00', InApproval: 1 },
      }),
    }),
  )
  show()
  const detail = await screen.findByRole('article', { name: '审批 SO1' })
  expect(detail).toHaveTextContent('订单金额达到 ¥2,000.00')
  expect(within(detail).getByRole('region', { name: '预算影响' })).toHaveTextContent(
    '不含本单可用¥6,422.30本单占用¥5,422.30含本单可用¥1,000.00上级“企业年度”含本单可用-¥3.00' +
      '专项“用纸专项”类目“办公用纸” · 额度 ¥500.00不含本单可用¥90.00本单计入¥100.00含本单可用-¥10.00',
  )
  expect(within(detail).getByRole('region', { name: '申请人当月' })).toHaveTextContent(
    '2026 年 11 月其他订单2 单（1 单待审批）其他订单金额¥40.00含本单¥5,462.30',
  )
})

test('a price stands beside the last one and the market', async () => {
  show()
  expect(await screen.findByRole('region', { name: '商品' })).toHaveTextContent(
    '上次 ¥8.00 高 25.0%（2026-02-03 采购 3 支）市场价 ¥12.50 低 20.0%',
  )
})

test('what the enterprise never bought says so', async () => {
  const order = decidedOrder()
  answer(
    'get',
    DECISION,
    decisionOf({
      Order: { ...order, Lines: order.Lines.map((line) => ({ ...line, Last: null })) },
    }),
  )
  show()
  expect(await screen.findByText('本企业首次采购')).toBeVisible()
})

test('who stands in today, and who decided in whose place, is told in the chain', async () => {
  const person = { Id: '8', Name: '周主任' }
  const done = {
    No: 1,
    RuleName: '规则',
    Mode: 'any',
    Status: 'approved',
    StatusText: '已通过',
    AskedAt: null,
    ForStaff: false,
    AddedBy: null,
    Note: '',
    Tasks: [
      {
        Approver: { Id: '9', Name: '小代' },
        ActingFor: { Id: '10', Name: '李总' },
        Status: 'approved',
        StatusText: '已同意',
        At: '2026-11-20T11:00:00+08:00',
        ArrivedAt: '2026-11-20T10:00:00+08:00',
        EscalatedFrom: null,
        AddedBy: null,
        Comment: '',
      },
    ],
  } as const
  const [waits] = approvalOf().Steps
  answer(
    'get',
    DECISION,
    decisionOf({
      Approval: approvalOf({
        Steps: [
          { ...done, Tasks: [...done.Tasks] },
          { ...waits!, No: 2 },
        ],
      }),
      StandIns: [
        { For: person, By: { Id: '9', Name: '小代' }, WhyNot: '' },
        {
          For: person,
          By: { Id: '10', Name: '小钱' },
          WhyNot: '金额 ¥900.00 超过代理上限 ¥500.00',
        },
      ],
    }),
  )
  show()
  const chain = await screen.findByRole('list', { name: '审批流程' })
  expect(chain).toHaveTextContent('小代 代 李总 审批 已同意 2026-11-20 11:00')
  expect(chain).toHaveTextContent('今日可由 小代 代 周主任 审批')
  expect(chain).toHaveTextContent(
    '代理人 小钱 不能代 周主任 审批：金额 ¥900.00 超过代理上限 ¥500.00',
  )
})

describe('keys', () => {
  const ready = (): Promise<HTMLElement> => screen.findByRole('button', { name: '同意' })

  test('J goes to the next of the box, K back, keeping the filters', async () => {
    answer('get', DECISION, decisionOf({ Above: null, Below: '22' }))
    const { location } = show('/userCenter/order/approval?Box=todo&PageSize=10')
    await ready()
    await userEvent.keyboard('k')
    expect(location()).toBe('/userCenter/order/approval?Box=todo&PageSize=10')
    await userEvent.keyboard('j')
    expect(location()).toBe('/userCenter/order/approval/22?Box=todo&PageSize=10')
  })

  test('one that is not on this page of the list turns the page', async () => {
    answer('get', DECISION, decisionOf({ Below: '23' }))
    const { location } = show()
    await ready()
    await userEvent.keyboard('J')
    expect(location()).toBe('/userCenter/order/approval/23?Box=todo&PageIndex=2&PageSize=20')
  })

  test('A asks, Enter confirms', async () => {
    answer('post', '/api/Approval/{ApprovalId}/Approve', approvalOf({ Status: 'approved' }))
    show()
    await ready()
    await userEvent.keyboard('a')
    expect(screen.getByRole('dialog', { name: '同意订单' })).toHaveTextContent(
      '张采购 提交的 SO1，金额 ¥5,422.30',
    )
    expect(wrote('/Approve')).toBeUndefined()
    await userEvent.keyboard('按计划{Enter}')
    await waitFor(() => expect(wrote('/Approve')).toEqual({ Comment: '按计划', Version: 1 }))
  })

  test('R asks for the reason, and no key acts while it is typed', async () => {
    show()
    await ready()
    await userEvent.keyboard('r')
    expect(screen.getByLabelText(/驳回原因/)).toHaveFocus()
    await userEvent.keyboard('ajk')
    expect(screen.getByLabelText(/驳回原因/)).toHaveValue('ajk')
    expect(screen.queryByRole('dialog', { name: '同意订单' })).toBeNull()
  })

  test("with Ctrl they are the browser's", async () => {
    show()
    await ready()
    await userEvent.keyboard('{Control>}a{/Control}')
    expect(screen.queryByRole('dialog')).toBeNull()
  })

  test('one whose turn it is not decides by no key', async () => {
    answer('get', DECISION, decisionOf({ Approval: approvalOf({ AllowedActions: [] }) }))
    show()
    await screen.findByRole('article', { name: '审批 SO1' })
    await userEvent.keyboard('ar')
    expect(screen.queryByRole('dialog')).toBeNull()
  })
})

test('an approval has its own address', async () => {
  answer('get', DECISION, decisionOf({ Approval: second }))
  show('/userCenter/order/approval/22')
  expect(await screen.findByRole('article', { name: '审批 SO2' })).toBeVisible()
})

test('an approval that is not there says so and leads back', async () => {
  refuse('get', DECISION, { code: 'not_found', message: '审批不存在，或您无权查看', status: 404 })
  show('/userCenter/order/approval/22')
  expect(await screen.findByText('审批不存在，或您无权查看')).toBeVisible()
  expect(screen.getByRole('link', { name: '返回审批列表' })).toHaveAttribute(
    'href',
    '/userCenter/order/approval',
  )
})

test('approving carries the comment', async () => {
  answer('post', '/api/Approval/{ApprovalId}/Approve', approvalOf({ Status: 'approved' }))
  show()
  await userEvent.click(await screen.findByRole('button', { name: '同意' }))
  await userEvent.type(screen.getByLabelText('审批意见'), ' 同意采购 ')
  await press('确认同意')
  await waitFor(() => expect(wrote('/Approve')).toEqual({ Comment: '同意采购', Version: 1 }))
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
  await waitFor(() => expect(wrote('/Reject')).toEqual({ Reason: '请合并下单', Version: 1 }))
})

test('one whose turn it is not sees no buttons', async () => {
  answer('get', DECISION, decisionOf({ Approval: approvalOf({ AllowedActions: [] }) }))
  show()
  await screen.findByRole('article', { name: '审批 SO1' })
  expect(screen.queryByRole('button', { name: '同意' })).toBeNull()
})

test('a task is given to a colleague; what the server refuses stands under the name', async () => {
  answer(
    'get',
    DECISION,
    decisionOf({ Approval: approvalOf({ AllowedActions: ['approve', 'reject', 'transfer'] }) }),
  )
  answer('get', '/api/Approval/{ApprovalId}/Candidates', [
    { Id: '7', Name: '张采购', Department: '行政部', WhyNot: '是申请人' },
    { Id: '9', Name: '小代', Department: '财务部', WhyNot: '' },
  ])
  refuse('post', '/api/Approval/{ApprovalId}/Transfer', {
    code: 'validation',
    message: '请检查',
    body: { Errors: { To: ['小代没有审批权限'] } },
  })
  show()
  await userEvent.click(await screen.findByRole('button', { name: '转交' }))
  const dialog = await screen.findByRole('dialog')
  await userEvent.click(within(dialog).getByRole('combobox', { name: '转交给' }))
  const requester = await screen.findByText('张采购 · 行政部 · 是申请人')
  expect(
    requester.closest('[aria-disabled="true"], .ant-select-item-option-disabled'),
  ).not.toBeNull()
  await userEvent.click(await screen.findByText('小代 · 财务部'))
  await userEvent.type(within(dialog).getByLabelText('转交原因'), '本周外出')
  await userEvent.click(within(dialog).getByRole('button', { name: '确认转交' }))
  await within(dialog).findByText('小代没有审批权限')
  expect(wrote('/Transfer')).toEqual({ To: '9', Reason: '本周外出', Version: 1 })
})

test('a bulk lists what was refused, with its number and reason', async () => {
  answer('post', '/api/Approval/BulkApprove', {
    Results: [
      { Id: '21', Success: true, RetCode: '', RetMessage: '' },
      { Id: '22', Success: false, RetCode: 'wrong_state', RetMessage: '该单据已被他人审批' },
    ],
    Approved: 1,
    Refused: 1,
  })
  show()
  await userEvent.click(await screen.findByRole('checkbox', { name: '全选' }))
  await press('批量同意（2）')
  await press('确认同意')
  expect(await screen.findByRole('dialog', { name: '1 条未能同意' })).toHaveTextContent(
    'SO2 该单据已被他人审批',
  )
  expect(wrote('/BulkApprove')).toEqual({ Ids: ['21', '22'], Comment: '' })
})

test('a bulk asks first, with how many and how much, and carries one comment', async () => {
  answer('post', '/api/Approval/BulkApprove', { Results: [], Approved: 2, Refused: 0 })
  show()
  await userEvent.click(await screen.findByRole('checkbox', { name: '全选' }))
  await press('批量同意（2）')
  expect(screen.getByRole('dialog', { name: '批量同意' })).toHaveTextContent(
    '所选 2 条，金额合计 ¥10,844.60。同意后不能撤回。',
  )
  expect(wrote('/BulkApprove')).toBeUndefined()
  await userEvent.type(screen.getByLabelText('审批意见'), ' 月度采购 {Enter}')
  await waitFor(() =>
    expect(wrote('/BulkApprove')).toEqual({ Ids: ['21', '22'], Comment: '月度采购' }),
  )
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
})

test('an empty box says so in its own words', async () => {
  answer('get', '/api/Approval', boxOf())
  show('/userCenter/order/approval?Box=done')
  expect(await screen.findByText('您还没有审批过单据')).toBeVisible()
})

test('who asks and decides nothing is led to what he asked for, until he chooses', async () => {
  answer('get', '/api/Approval', {
    ...boxOf(),
    Tabs: TABS.map((tab) => ({ ...tab, Count: tab.Code === 'mine' ? 31 : 0 })),
  })
  const { location } = show()
  await waitFor(() => expect(location()).toBe('/userCenter/order/approval?Box=mine'))
  await userEvent.click(await screen.findByRole('tab', { name: /待我审批/ }))
  expect(await screen.findByText('没有等待您审批的单据')).toBeVisible()
})

test('all boxes are counted', async () => {
  show()
  await waitFor(() =>
    expect(screen.getAllByRole('tab').map(({ textContent }) => textContent)).toEqual([
      '待我审批2',
      '我已审批16',
      '我发起的0',
      '抄送我的0',
    ]),
  )
})

test('what is filled in narrows the list and stays in the address, also beside the next', async () => {
  answer('get', DECISION, decisionOf({ Below: '22' }))
  const { location } = show('/userCenter/order/approval?Box=todo&Requester=7')
  await userEvent.type(screen.getByLabelText('关键词'), 'SO')
  await userEvent.type(screen.getByLabelText('金额最低'), '500')
  await press('查询')
  const kept = '?Box=todo&Requester=7&Keyword=SO&AmountFrom=500'
  expect(location()).toBe(`/userCenter/order/approval${kept}`)
  await waitFor(() =>
    expect(
      sent.some(
        ({ url }) =>
          url.pathname.endsWith('/Decision') &&
          url.search === '?Box=todo&Keyword=SO&Requester=7&AmountFrom=500',
      ),
    ).toBe(true),
  )
  await userEvent.keyboard('j')
  expect(location()).toBe(`/userCenter/order/approval/22${kept}`)
})

test('another box keeps the keyword and leaves the person', async () => {
  const { location } = show('/userCenter/order/approval?Box=todo&Keyword=SO&Requester=7')
  await userEvent.click(await screen.findByRole('tab', { name: /我已审批/ }))
  expect(location()).toBe('/userCenter/order/approval?Keyword=SO&Box=done')
})

test('a box that a filter empties says so', async () => {
  answer('get', '/api/Approval', boxOf())
  show('/userCenter/order/approval?Keyword=SO9')
  expect(await screen.findByText('没有符合条件的单据')).toBeVisible()
})

test('a box that cannot be loaded offers another try', async () => {
  refuse('get', '/api/Approval', { status: 500 })
  show()
  expect(await screen.findByRole('button', { name: '重新加载' })).toBeEnabled()
})

test('each row says how long it has waited, and what is overdue', async () => {
  answer(
    'get',
    '/api/Approval',
    boxOf(
      approvalOf(),
      approvalOf({
        Id: '22',
        SubjectNo: 'SO2',
        Waiting: { Hours: 30, Text: '3 个工作日', IsOverdue: true },
      }),
    ),
  )
  show()
  const list = await screen.findByRole('region', { name: '待我审批' })
  const [first, late] = within(list).getAllByRole('article')
  expect(first).toHaveTextContent('已等 6 工作小时')
  expect(first).not.toHaveTextContent('超时')
  expect(late).toHaveTextContent('超时 · 已等 3 个工作日')
})

test('each row has its number, and says in whose place one would decide', async () => {
  signIn({ uid: '8' })
  const [step] = second.Steps
  const [task] = step!.Tasks
  answer(
    'get',
    '/api/Approval',
    boxOf(approvalOf(), {
      ...second,
      Steps: [{ ...step!, Tasks: [{ ...task!, Approver: { Id: '12', Name: '陈总' } }] }],
    }),
  )
  show()
  const [own, other] = within(await screen.findByRole('region', { name: '待我审批' })).getAllByRole(
    'article',
  )
  expect(own).toHaveTextContent('SO1')
  expect(own).not.toHaveTextContent('代')
  expect(other).toHaveTextContent('SO2')
  expect(other).toHaveTextContent('代 陈总')
})

test('the requester urges from what he asked for', async () => {
  answer(
    'get',
    DECISION,
    decisionOf({ Approval: approvalOf({ AllowedActions: ['withdraw'], CanUrge: true }) }),
  )
  answer('post', '/api/Approval/{ApprovalId}/Urge', approvalOf())
  show('/userCenter/order/approval?Box=mine')
  await userEvent.click(await screen.findByRole('button', { name: '催办' }))
  await waitFor(() =>
    expect(
      sent.some(({ method, url }) => method === 'POST' && url.pathname.endsWith('/21/Urge')),
    ).toBe(true),
  )
})

test('who was asked beside another says why', async () => {
  const [step] = approvalOf().Steps
  const [task] = step!.Tasks
  const above = {
    ...task!,
    Approver: { Id: '12', Name: '陈总' },
    AddedBy: null,
    EscalatedFrom: { Id: '8', Name: '周主任' },
    ArrivedAt: '2026-11-24T15:00:00+08:00',
  }
  answer(
    'get',
    DECISION,
    decisionOf({ Approval: approvalOf({ Steps: [{ ...step!, Tasks: [task!, above] }] }) }),
  )
  show()
  expect(await screen.findByRole('list', { name: '审批流程' })).toHaveTextContent(
    '周主任 超时未处理，2026-11-24 15:00 升级给 陈总',
  )
})

test('the personal centre opens the drawer of delegations by the address, and closing it takes it out', async () => {
  answer('get', '/api/ApprovalDelegation', pageOf())
  answer('get', '/api/Approval/{ApprovalId}/Candidates', [])
  const { location } = show('/userCenter/order/approval?Delegation=open&Overdue=true')
  const drawer = await screen.findByRole('dialog', {}, { timeout: 10_000 })
  await userEvent.click(within(drawer).getByRole('button', { name: /关闭|Close/ }))
  await waitFor(() => expect(location()).toBe('/userCenter/order/approval?Overdue=true'))
  expect(
    sent.find(({ url }) => url.pathname === '/api/Approval')?.url.searchParams.get('Overdue'),
  ).toBe('true')
})

test('the own copy is marked as read, and each copy shows whether it was read', async () => {
  answer('post', '/api/Approval/{ApprovalId}/CopyRead', null)
  answer(
    'get',
    DECISION,
    decisionOf({
      Copies: [
        {
          To: { Id: '1', Name: '我' },
          By: null,
          At: '2026-11-20T10:00:00+08:00',
          ReadAt: null,
        },
        {
          To: { Id: '9', Name: '小审' },
          By: { Id: '8', Name: '周主任' },
          At: '2026-11-20T10:05:00+08:00',
          ReadAt: '2026-11-20T11:00:00+08:00',
        },
      ],
    }),
  )
  signIn({ uid: '1' })
  show()
  const detail = await screen.findByRole('article', { name: '审批 SO1' })
  const copies = within(detail).getByRole('region', { name: '抄送' })
  expect(copies).toHaveTextContent('我按审批规则')
  expect(copies).toHaveTextContent('未读')
  expect(copies).toHaveTextContent('11:00 已读')
  await waitFor(() => expect(sent.some(({ url }) => url.pathname.endsWith('/CopyRead'))).toBe(true))
})

test('who cannot be added is shown with the reason, and the others are sent with their place', async () => {
  answer(
    'get',
    DECISION,
    decisionOf({ Approval: approvalOf({ AllowedActions: ['approve', 'add'] }) }),
  )
  answer('get', '/api/Approval/{ApprovalId}/Candidates', [
    { Id: '9', Name: '小审', Department: '财务部', WhyNot: '' },
    { Id: '10', Name: '老钱', Department: '', WhyNot: '是第 2 步的审批人' },
  ])
  answer('post', '/api/Approval/{ApprovalId}/Add', approvalOf())
  show()
  await userEvent.click(await screen.findByRole('button', { name: '加签' }))
  const dialog = await screen.findByRole('dialog')
  await userEvent.click(within(dialog).getByRole('radio', { name: '在我之后' }))
  await userEvent.click(within(dialog).getByRole('combobox'))
  expect(await screen.findByTitle('老钱 · 是第 2 步的审批人')).toHaveAttribute(
    'aria-disabled',
    'true',
  )
  await userEvent.click(screen.getByTitle('小审 · 财务部'))
  await press('确认加签')
  await waitFor(() =>
    expect(wrote('/Add')).toMatchObject({ Placement: 'after', To: ['9'], Mode: 'all' }),
  )
})
