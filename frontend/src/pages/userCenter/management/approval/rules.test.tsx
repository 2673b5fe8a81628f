import { render, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, test } from 'vitest'
import type { Rule, Simulation } from '@/domain/approvals/rules'
import { fake } from '@/test/fake'
import { pageOf } from '@/test/fixtures'
import { renderDeskAt } from '@/test/renderDesk'
import { answer, refuse, sent } from '@/test/server'
import { signIn } from '@/test/session'
import { Component } from '.'
import { Result } from './Simulator'

const rule = (change: Partial<Rule> = {}): Rule => ({
  Id: '1',
  Name: '大额采购',
  Status: 'active',
  StatusText: '生效中',
  IsActive: true,
  PlaceKind: 'group',
  PlaceText: '全集团',
  EnterpriseId: null,
  DepartmentId: null,
  Origin: null,
  OriginText: '',
  ConditionMode: 'all',
  Conditions: [
    {
      Kind: 'amount',
      Amount: '2000.00',
      Quantity: null,
      Days: null,
      Items: [],
      Text: '订单金额达到 ¥2,000.00',
    },
  ],
  ConditionsText: '订单金额达到 ¥2,000.00',
  Bands: [],
  Steps: [
    {
      No: 1,
      Mode: 'any',
      ModeText: '或签',
      ApproverKind: 'head',
      Accounts: [],
      RoleId: null,
      RoleName: '',
      LevelsUp: 0,
      Band: null,
      Text: '部门负责人',
    },
  ],
  AllowsSelfApproval: false,
  AllowsSamePerson: false,
  CopyAccounts: [],
  CopyRoles: [],
  ValidFrom: null,
  ValidUntil: null,
  ValidityText: '长期有效',
  Version: 2,
  InFlight: 3,
  CanEdit: true,
  UpdatedAt: '2026-11-01T09:00:00+08:00',
  ...change,
})
/** A pointer without the check of pointer-events styles, which is slow in antd's drawers. */
const person = userEvent.setup({ pointerEventsCheck: 0, delay: null })
const show = (query = ''): ReturnType<typeof renderDeskAt> =>
  renderDeskAt(`/userCenter/management/approval${query}`, Component)

beforeEach(() => {
  signIn()
  answer(
    'get',
    '/api/ApprovalRule',
    pageOf(
      rule(),
      rule({
        Id: '2',
        Name: '集团规则',
        CanEdit: false,
        Origin: 'group',
        OriginText: '继承自全集团',
        CopyAccounts: [{ Id: '9', Name: '陈总' }],
        CopyRoles: [{ Id: '4', Name: '财务' }],
      }),
    ),
  )
  answer('get', '/api/ApprovalRule/Choices', [])
  answer('post', '/api/ApprovalRule/Check', [
    {
      Level: 'stop',
      Code: 'nobody',
      Message: '没有可用的审批人，订单将转由集团管理员审批',
      Step: 1,
    },
  ])
})

test('a rule reads as a sentence and a picture; one from above can only be looked at', async () => {
  show()
  const own = await screen.findByRole('listitem', { name: '大额采购' })
  expect(own).toHaveTextContent('当订单金额达到 ¥2,000.00时')
  expect(within(own).getByRole('list', { name: '审批步骤' })).toHaveTextContent(
    '提交订单1部门负责人审批通过',
  )
  expect(own).toHaveTextContent('3 张订单审批中')
  expect(own).not.toHaveTextContent('抄送')
  const above = screen.getByRole('listitem', { name: '集团规则' })
  expect(above).toHaveTextContent('继承自全集团上级规则，仅可查看')
  expect(above).toHaveTextContent('抄送：陈总、财务')
  expect(within(above).queryByRole('button', { name: '修改' })).toBeNull()
})

test('the second of two is shown what the first changed, and nothing of his is lost', async () => {
  const present = rule({ Name: '一万元以上', UpdatedAt: '2026-11-01T10:00:00+08:00' })
  refuse('patch', '/api/ApprovalRule/{RuleId}', {
    code: 'stale',
    message: '刚刚被修改',
    body: {
      Rule: present,
      By: { Id: '9', Name: '陈总' },
      Changes: [{ Field: 'Name', Label: '规则名称', Before: '大额采购', After: '一万元以上' }],
    },
  })
  show()
  await person.click(
    within(await screen.findByRole('listitem', { name: '大额采购' })).getByRole('button', {
      name: '修改',
    }),
  )
  const name = await screen.findByRole('textbox', { name: '规则名称' })
  await person.type(name, '二')
  expect(await screen.findByRole('list', { name: '规则检查' })).toHaveTextContent(
    '第 1 步：没有可用的审批人',
  )
  await person.click(screen.getByRole('button', { name: '保存规则' }))
  await person.click(await screen.findByRole('button', { name: '仍要保存' }))

  const notice = await screen.findByRole('alert', { name: '规则已被修改' })
  expect(notice).toHaveTextContent('陈总刚刚修改了这条规则')
  expect(name).toHaveValue('大额采购二')
  await person.click(within(notice).getByRole('button', { name: '载入最新内容' }))
  expect(name).toHaveValue('一万元以上')
  expect(sent.find(({ method }) => method === 'PATCH')?.body).toMatchObject({
    Name: '大额采购二',
    UpdatedAt: '2026-11-01T09:00:00+08:00',
  })
})

test('without rules the page says what that means', async () => {
  answer('get', '/api/ApprovalRule', pageOf())
  show()
  await waitFor(() => expect(screen.getByText('没有规则时，订单提交后无需审批')).toBeVisible())
})

test('a former version is brought back; where nobody could decide it asks first', async () => {
  const version = (Number: number, CanRestore: boolean) => ({
    Number,
    CanRestore,
    Action: 'changed' as const,
    ActionText: '修改',
    By: null,
    At: '2026-11-01T09:00:00+08:00',
    Changes: [],
    Words: [],
  })
  answer('get', '/api/ApprovalRule/{RuleId}/Versions', [version(2, false), version(1, true)])
  refuse('post', '/api/ApprovalRule/{RuleId}/Restore', {
    code: 'validation',
    message: '请检查',
    body: { Errors: { Problems: ['第 1 步：审批人均已停用'] } },
  })
  show()
  await person.click(
    within(await screen.findByRole('listitem', { name: '大额采购' })).getByRole('button', {
      name: '更多',
    }),
  )
  await person.click(await screen.findByText('版本记录（第 2 版）'))
  await person.click(await screen.findByRole('button', { name: '恢复此版本' }))
  await person.click(await screen.findByRole('button', { name: '恢复' }))
  expect(await screen.findByRole('alert')).toHaveTextContent(
    '第 1 版没有恢复第 1 步：审批人均已停用',
  )
  answer('post', '/api/ApprovalRule/{RuleId}/Restore', rule({ Version: 3 }))
  await person.click(screen.getByRole('button', { name: '仍要恢复' }))
  await waitFor(() =>
    expect(
      sent
        .filter(({ method, url }) => method === 'POST' && url.pathname.endsWith('/Restore'))
        .map(({ body }) => body),
    ).toEqual([
      { Number: 1, Anyway: false, UpdatedAt: '2026-11-01T09:00:00+08:00' },
      { Number: 1, Anyway: true, UpdatedAt: '2026-11-01T09:00:00+08:00' },
    ]),
  )
})

test('a former version that cannot be brought back says why', async () => {
  const version = (Number: number) => ({
    Number,
    CanRestore: false,
    Action: 'changed' as const,
    ActionText: '修改',
    By: null,
    At: '2026-11-01T09:00:00+08:00',
    Changes: [],
    Words: [],
  })
  answer('get', '/api/ApprovalRule/{RuleId}/Versions', [version(2), version(1)])
  show()
  await person.click(
    within(await screen.findByRole('listitem', { name: '大额采购' })).getByRole('button', {
      name: '更多',
    }),
  )
  await person.click(await screen.findByText('版本记录（第 2 版）'))
  const [present, former] = within(await screen.findByRole('list', { name: '版本' })).getAllByRole(
    'listitem',
  )
  expect(former).toHaveTextContent('该版本较早，只保存了文字记录，无法直接恢复，请对照内容修改规则')
  expect(present).not.toHaveTextContent('无法直接恢复')
})

test('who waits how long stands beside the rules', async () => {
  const figures = {
    Approver: { Id: '8', Name: '周主任' },
    Department: '行政部',
    Open: 3,
    Overdue: 2,
    OldestAt: '2026-11-16T09:00:00+08:00',
    OldestHours: 30.5,
    Decided: 12,
    AverageHours: 3.25,
    SlowHours: null,
  }
  answer('get', '/api/ApprovalWaiting', pageOf(figures))
  const { location } = show()
  await person.click(await screen.findByRole('button', { name: '审批时效' }))
  expect(location()).toBe('/userCenter/management/approval?View=waiting')
  const row = (await screen.findByText('周主任')).closest('tr')
  expect(row).toHaveTextContent('周主任行政部322026-11-16 09:0030.5 工作小时123.3 工作小时—')
})

test('a rule that asks nobody is switched on only after the question', async () => {
  answer(
    'get',
    '/api/ApprovalRule',
    pageOf(rule({ IsActive: false, Status: 'disabled', StatusText: '已停用' })),
  )
  refuse('post', '/api/ApprovalRule/{RuleId}/Enable', {
    code: 'validation',
    message: '请检查',
    body: { Errors: { Problems: ['第 1 步：审批人均已停用'] } },
  })
  show()
  await person.click(await screen.findByRole('switch', { name: '启用 大额采购' }))

  const question = await screen.findByRole('dialog')
  expect(question).toHaveTextContent('启用“大额采购”？第 1 步：审批人均已停用')
  answer('post', '/api/ApprovalRule/{RuleId}/Enable', rule({ Version: 3 }))
  await person.click(within(question).getByRole('button', { name: '仍要启用' }))
  await waitFor(() =>
    expect(
      sent.filter(({ url }) => url.pathname.endsWith('/Enable')).map(({ body }) => body),
    ).toEqual([
      { Anyway: false, UpdatedAt: '2026-11-01T09:00:00+08:00' },
      { Anyway: true, UpdatedAt: '2026-11-01T09:00:00+08:00' },
    ]),
  )
})

test('the simulator says what it still needs', async () => {
  answer('get', '/api/ApprovalRule', pageOf(rule()))
  show()
  await person.click(await screen.findByRole('button', { name: '模拟审批' }))
  const begin = await screen.findByRole('button', { name: '开始模拟' })
  expect(begin).toBeDisabled()
  expect(begin).toHaveAccessibleDescription('请先填写申请人')
  await person.clear(screen.getByRole('spinbutton', { name: '订单金额' }))
  await waitFor(() => expect(begin).toHaveAccessibleDescription('请先填写申请人和订单金额'))
})

const SIMULATED = fake<Simulation>({
  Requester: { Id: '7', Name: '小林' },
  Department: '行政部',
  Needed: false,
  Reasons: [],
  OtherReasons: [],
  Refusals: [],
  Budgets: [],
  Rules: [],
  Chain: [],
  StandIns: [],
})

test('the simulation names the requester and the reasons that no rule gives', () => {
  const OtherReasons = ['超出每月采购限额 ¥50.00（当月已下单 ¥30.00，本单 ¥30.00）']
  render(<Result data={{ ...SIMULATED, Needed: true, OtherReasons, Reasons: OtherReasons }} />)
  expect(screen.getByText(/^按 小林（行政部）今天的预算余额、采购限额和月结额度计算/)).toBeVisible()
  expect(screen.getByText(`另因“${OtherReasons[0]}”需要审批`)).toBeVisible()
})

test('a simulated order that would be refused does not pass as one that needs no approval', () => {
  const text = '超出每月采购限额 ¥50.00（当月已下单 ¥0.00，本单 ¥60.00），请减少采购金额'
  render(<Result data={{ ...SIMULATED, Refusals: [text] }} />)
  expect(screen.getByRole('alert')).toHaveTextContent(`按以上条件不能提交：${text}`)
  expect(screen.getByText('不能提交；如可提交，无需审批')).toBeVisible()
  expect(screen.queryByText(/提交后直接进入待确认/)).toBeNull()
})
