import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, test } from 'vitest'
import type { AccountRow } from '@/domain/org/accounts'
import { renderDeskAt } from '@/test/renderDesk'
import { answer, refuse, sent } from '@/test/server'
import { signIn } from '@/test/session'
import { getDeeds } from './columns'
import { Component } from '.'

const person = (more: Partial<AccountRow> = {}): AccountRow => ({
  Id: '9',
  UserName: 'zhang.san',
  UserType: 'NU',
  UserTypeText: '普通账号',
  NickName: '张三',
  FullName: '张三丰',
  JobTitle: '采购',
  Mobile: '13912345678',
  Email: 'zs@yf.cn',
  Enterprise: { Id: '1', Name: '云帆科技' },
  Department: { Id: '2', Name: '行政部' },
  Roles: [{ Id: '7', Name: '采购员' }],
  State: 'active',
  StateText: '启用',
  HasPassword: true,
  CanManage: true,
  LastLogin: null,
  CreatedAt: '2026-11-20T10:00:00+08:00',
  UpdatedAt: '2026-11-20T10:00:00+08:00',
  ...more,
})
const pageOf = (...Items: object[]): object => ({
  Items,
  Total: Items.length,
  PageIndex: 1,
  PageSize: 20,
})
const show = () => renderDeskAt('/userCenter/management/account', Component)
const keys = (row: AccountRow, me = '1'): string[] => getDeeds(row, me).map(({ key }) => key)
const more = async (deed: string): Promise<void> => {
  await userEvent.click(await screen.findByRole('button', { name: '张三的更多操作' }))
  await userEvent.click(await screen.findByRole('menuitem', { name: deed }))
}

beforeEach(() => {
  signIn({ utype: 'GA' })
  answer('get', '/api/Account', pageOf(person()))
  answer('get', '/api/Role', pageOf())
  answer('get', '/api/Department', pageOf())
  answer('get', '/api/Enterprise', pageOf())
})

test('what may be done follows from the person', () => {
  expect(keys(person())).toEqual(['reset', 'sight', 'limits', 'history', 'disable'])
  expect(keys(person({ HasPassword: false }))).toEqual([
    'invite',
    'sight',
    'limits',
    'history',
    'disable',
  ])
  expect(keys(person({ State: 'disabled' }))).toEqual(['enable', 'sight', 'limits', 'history'])
  expect(keys(person({ CanManage: false }))).toEqual(['sight', 'limits', 'history'])
  expect(keys(person(), '9')).toEqual(['sight', 'limits', 'history'])
})

test('a row tells who, where, which roles and how he stands', async () => {
  show()
  const row = await screen.findByRole('row', { name: /张三/ })
  for (const text of [
    '张三（张三丰）',
    'zhang.san · 采购',
    '行政部',
    '云帆科技',
    '采购员',
    '13912345678',
    '启用',
  ])
    expect(row).toHaveTextContent(text)
})

test('what waits for a person needs a colleague before he is disabled', async () => {
  answer('get', '/api/Account/9/Leaving', {
    Approvals: 3,
    Rules: ['大额审批'],
    Departments: ['行政部'],
  })
  show()
  await more('停用')
  const dialog = await screen.findByRole('dialog')
  expect(await within(dialog).findByText('还有 3 个审批等待处理，移交给')).toBeInTheDocument()
  expect(within(dialog).getByRole('list', { name: '停用后需要处理' })).toHaveTextContent(
    '仍是 行政部 的负责人',
  )
  expect(within(dialog).getByRole('button', { name: '停用' })).toHaveClass(
    'ant-btn-color-dangerous',
  )
  await userEvent.click(within(dialog).getByRole('button', { name: '停用' }))
  expect(await within(dialog).findByText('请选择接手人')).toBeInTheDocument()
  expect(sent.some(({ url }) => url.pathname.endsWith('/Disable'))).toBe(false)
})

test('a temporary code is shown once, to be handed over', async () => {
  answer('post', '/api/Account/9/ResetPassword', {
    Channel: 'code',
    UserName: 'zhang.san',
    Email: 'zs@yf.cn',
    Code: 'ABCD-EFGH-2345',
    Link: 'https://mall/resetPassword#account=zhang.san',
    ExpiresAt: '2026-11-21T10:00:00+08:00',
  })
  show()
  await more('重置密码')
  const dialog = await screen.findByRole('dialog')
  await userEvent.click(within(dialog).getByRole('radio', { name: /临时验证码/ }))
  await userEvent.type(await within(dialog).findByLabelText('您的登录密码'), 'mine')
  await userEvent.click(within(dialog).getByRole('button', { name: '重置密码' }))
  expect(await screen.findByText('ABCD-EFGH-2345')).toBeInTheDocument()
  expect(screen.getByText(/关闭后不再显示/)).toBeInTheDocument()
  expect(sent.findLast(({ method }) => method === 'POST')?.body).toEqual({
    Channel: 'code',
    Password: 'mine',
  })
})

test("another mobile number of a colleague takes the administrator's password", async () => {
  answer('get', '/api/Account/Sight', { People: 1, Orders: null, ScopeText: '全集团', Groups: [] })
  show()
  await userEvent.click(await screen.findByRole('button', { name: /编辑/ }))
  const dialog = within(await screen.findByRole('dialog'))
  expect(dialog.queryByLabelText('您的登录密码')).toBeNull()
  await userEvent.type(dialog.getByLabelText('手机号码'), '9')
  expect(await dialog.findByLabelText('您的登录密码')).toBeInTheDocument()
})

test('an empty list leads to the first account', async () => {
  answer('get', '/api/Account', pageOf())
  show()
  expect(await screen.findByText('还没有账号')).toBeInTheDocument()
  expect(screen.getAllByRole('button', { name: '新增账号' })).toHaveLength(2)
})

test("a colleague's mobile or mail is asked about, and saved where it is meant", async () => {
  refuse('patch', '/api/Account/9', {
    code: 'validation',
    body: { Errors: { SameContact: ['手机号码与 小林（buyer）相同'] } },
  })
  show()
  await userEvent.click(await screen.findByRole('button', { name: /编辑/ }))
  await userEvent.click(
    within(await screen.findByRole('dialog')).getByRole('button', { name: '保存' }),
  )
  expect(await screen.findByText('手机号码与 小林（buyer）相同')).toBeInTheDocument()
  answer('patch', '/api/Account/9', person())
  await userEvent.click(await screen.findByRole('button', { name: '仍要保存' }))
  await expect
    .poll(() =>
      sent
        .filter(({ method }) => method === 'PATCH')
        .map(({ body }) => (body as { Anyway: boolean }).Anyway),
    )
    .toEqual([false, true])
})

test('his own mobile and mail are changed in the personal centre alone', async () => {
  signIn({ utype: 'GA', uid: '9' })
  answer('get', '/api/Account/Sight', { People: 1, Orders: null, ScopeText: '全集团', Groups: [] })
  show()
  await userEvent.click(await screen.findByRole('button', { name: /编辑/ }))
  const dialog = within(await screen.findByRole('dialog'))
  for (const name of ['手机号码', '邮箱']) expect(dialog.getByLabelText(name)).toBeDisabled()
  expect(dialog.getAllByRole('link', { name: '个人中心' })[0]).toHaveAttribute(
    'href',
    '/userCenter/user/account',
  )
})

test('a dialog from the menu 更多 returns the focus to its button', async () => {
  answer('get', '/api/Account/9/Limits', {
    Limits: [],
    PaymentKinds: [],
    AddressScope: 'all',
    InForce: [],
    PaymentKindsInForce: [],
    AddressScopeInForce: 'all',
  })
  show()
  await more('采购限额')
  await userEvent.click(await screen.findByText('添加类目限额'))
  await userEvent.keyboard('{Escape}')
  await waitFor(() => expect(screen.queryByText('添加类目限额')).toBeNull())
  expect(screen.getByRole('button', { name: '张三的更多操作' })).toHaveFocus()
})

test('a group admin sets the limits of one account', async () => {
  signIn({ utype: 'GA' })
  const month = {
    Period: 'month',
    Amount: '9000.00',
    Action: 'approve',
    CategoryId: '12',
    CategoryName: '办公用纸',
  } as const
  answer('post', '/api/Category/GetCustomerCategories', [
    { C1: { CategoryId: '12', Name: '办公用纸', CategoryGroup: '办公' }, Category2List: [] },
  ])
  const terms = {
    Limits: [],
    InForce: [month],
    PaymentKinds: [],
    PaymentKindsInForce: ['credit', 'online'],
    AddressScope: 'all',
    AddressScopeInForce: 'department',
  } as const
  answer('get', '/api/Account/9/Limits', terms)
  answer('put', '/api/Account/9/Limits', terms)
  show()
  await more('采购限额')
  const dialog = await screen.findByRole('dialog')
  expect(
    await within(dialog).findByText(
      '现在生效：“办公用纸”每月 ¥9,000.00（超出需要审批）；可用付款方式：月结、在线支付；可用收货地址：本人和所在部门的地址',
    ),
  ).toBeVisible()
  await userEvent.click(within(dialog).getByRole('checkbox', { name: '在线支付' }))
  await userEvent.click(within(dialog).getByRole('checkbox', { name: '限制每单金额' }))
  await userEvent.click(within(dialog).getByRole('button', { name: '添加类目限额' }))
  expect(within(dialog).queryByText('请选择类目，或删除该行')).toBeNull()
  await userEvent.click(within(dialog).getByRole('button', { name: /保\s?存/ }))
  expect(await within(dialog).findByText('请选择类目，或删除该行')).toBeVisible()
  await userEvent.type(within(dialog).getByRole('combobox', { name: '第 1 个类目' }), '用纸')
  await userEvent.click(await screen.findByText('办公用纸'))
  await userEvent.click(within(dialog).getByRole('button', { name: /保\s?存/ }))
  const limit = { Amount: '1000.00', Action: 'refuse' }
  await waitFor(() =>
    expect(sent.find(({ method }) => method === 'PUT')?.body).toEqual({
      Limits: [
        { ...limit, Period: 'order', CategoryName: '' },
        { ...limit, Period: 'month', CategoryId: '12', CategoryName: '办公用纸' },
      ],
      PaymentKinds: ['online'],
      AddressScope: 'all',
    }),
  )
})

test('the link of a notice opens the imports once', async () => {
  answer('get', '/api/Import', [])
  const { location } = renderDeskAt(
    '/userCenter/management/account?Keyword=zhang&Import=1',
    Component,
  )
  const dialog = within(await screen.findByRole('dialog'))
  expect(dialog.getByText('导入账号')).toBeInTheDocument()
  expect(location()).toBe('/userCenter/management/account?Keyword=zhang')
})

test("the import of accounts takes the administrator's password and second factor", async () => {
  const counts = { Created: 1, Updated: 0, Unchanged: 0 }
  answer('post', '/api/Account/Import', { Total: 1, Wrong: 0, Rows: [], Imported: 1, ...counts })
  answer('get', '/api/Import', [])
  answer('get', '/api/Account/SecondFactor', {
    Enabled: true,
    HasAuthenticator: true,
    Passkeys: [],
    RecoveryCodes: 10,
    RequiredByGroup: false,
    Devices: 0,
  })
  show()
  await userEvent.click(await screen.findByRole('button', { name: '导入' }))
  const dialog = within(await screen.findByRole('dialog'))
  await userEvent.upload(dialog.getByLabelText('选择表格'), new File(['x'], '账号.xlsx'))
  await userEvent.type(await dialog.findByLabelText('您的登录密码'), 'mine')
  await userEvent.type(await dialog.findByLabelText('验证码'), ' 123456 ')
  await userEvent.click(dialog.getByRole('button', { name: /导入 1 个账号$/ }))
  const lastUpload = () => sent.findLast(({ url }) => url.pathname === '/api/Account/Import')?.body
  await waitFor(() => expect(lastUpload()).toContain('name="Password"\r\n\r\nmine\r\n'))
  expect(lastUpload()).toContain('name="SecondFactorCode"\r\n\r\n123456\r\n')
})
