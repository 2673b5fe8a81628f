import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'
import type { Profile } from '@/domain/account/profile'
import { session } from '@/lib/session'
import { renderDeskAt } from '@/test/renderDesk'
import { answer, refuse, sent } from '@/test/server'
import { signIn } from '@/test/session'
import { Component } from '.'

const me: Profile = {
  Id: '7',
  UserName: 'buyer',
  UserType: 'NU',
  NickName: '张采购',
  FullName: '',
  JobTitle: '',
  Mobile: '13800000000',
  Email: '',
  Avatar: null,
  AvatarFileId: null,
  Enterprise: { Id: '1', Name: '示例公司' },
  Department: { Id: '2', Name: '行政部' },
  Role: ['采购员'],
  LastLogin: null,
}
const device = (Id: string, more: object = {}): object => ({
  Id,
  Current: false,
  Device: 'Edge · Windows',
  HandHeld: false,
  ClientAddress: '203.0.113.7',
  UserAgent: '',
  CreatedAt: '2026-03-05T09:00:00+08:00',
  UsedAt: '2026-03-05T10:00:00+08:00',
  ByStaff: false,
  Reason: '',
  ...more,
})
const factor = (Enabled: boolean): object => ({
  Enabled,
  Required: false,
  HasAuthenticator: Enabled,
  Passkeys: [],
  PasskeyOrigins: [],
  RecoveryCodesLeft: Enabled ? 10 : 0,
  RememberedDevices: 0,
})
const last = (path: string) => sent.findLast(({ url }) => url.pathname === path)?.body

beforeEach(() => {
  signIn()
  answer('get', '/api/Account/Profile', me)
  answer('get', '/api/Account/SecondFactor', factor(false))
  answer('get', '/api/Account/Session', {
    Items: [device('a', { Current: true }), device('b')],
    Total: 2,
    PageIndex: 1,
    PageSize: 100,
  })
})

test('a new nickname is kept, and stands at the top of the page at once', async () => {
  answer('patch', '/api/Account/Profile', { ...me, NickName: '张三' })
  renderDeskAt('/userCenter/user/account', Component)
  const name = await screen.findByRole('textbox', { name: '昵称' })
  fireEvent.change(name, { target: { value: '张三' } })
  fireEvent.click(screen.getByRole('button', { name: '保存' }))
  await waitFor(() => expect(session.get()?.User.nname).toBe('张三'))
  expect(sent.findLast(({ method }) => method === 'PATCH')?.body).toEqual({
    NickName: '张三',
    FullName: '',
    JobTitle: '',
  })
})

test('a new address is set by the code that was sent to it', async () => {
  answer('post', '/api/Account/SendContactCode', {
    Channel: 'email',
    To: 'z***@yf.example',
    RetryAfter: 60,
  })
  answer('post', '/api/Account/ChangeContact', { ...me, Email: 'zhang@yf.example' })
  renderDeskAt('/userCenter/user/account', Component)
  fireEvent.click(await screen.findByRole('button', { name: '设置邮箱' }))
  const dialog = within(await screen.findByRole('dialog'))
  fireEvent.change(dialog.getByRole('textbox', { name: '新邮箱' }), {
    target: { value: 'zhang@yf.example' },
  })
  fireEvent.click(dialog.getByRole('button', { name: '获取验证码' }))
  expect(
    await dialog.findByText('验证码已发送至 z***@yf.example，10 分钟内有效'),
  ).toBeInTheDocument()
  expect(dialog.getByRole('button', { name: /秒后重新获取/ })).toBeDisabled()
  fireEvent.change(dialog.getByRole('textbox', { name: '验证码' }), { target: { value: '123456' } })
  fireEvent.click(dialog.getByRole('button', { name: '确认' }))
  expect(await dialog.findByText('请输入登录密码')).toBeInTheDocument()
  expect(dialog.queryByText('原邮箱验证码')).toBeNull()
  fireEvent.change(dialog.getByLabelText('登录密码'), { target: { value: 'secret-1' } })
  fireEvent.click(dialog.getByRole('button', { name: '确认' }))
  expect(await screen.findByText('zhang@yf.example')).toBeInTheDocument()
  expect(last('/api/Account/ChangeContact')).toEqual({
    Kind: 'email',
    Value: 'zhang@yf.example',
    Code: '123456',
    Password: 'secret-1',
  })
})

test('a wrong password is told at its field', async () => {
  refuse('post', '/api/Account/ChangeContact', {
    code: 'validation',
    body: { Errors: { Password: ['登录密码不正确，请重新输入'] } },
  })
  renderDeskAt('/userCenter/user/account', Component)
  fireEvent.click(await screen.findByRole('button', { name: '设置邮箱' }))
  const dialog = within(await screen.findByRole('dialog'))
  fireEvent.change(dialog.getByRole('textbox', { name: '新邮箱' }), {
    target: { value: 'zhang@yf.example' },
  })
  fireEvent.change(dialog.getByRole('textbox', { name: '验证码' }), { target: { value: '123456' } })
  fireEvent.change(dialog.getByLabelText('登录密码'), { target: { value: 'wrong' } })
  fireEvent.click(dialog.getByRole('button', { name: '确认' }))
  expect(await dialog.findByText('登录密码不正确，请重新输入')).toBeInTheDocument()
})

test('a code to the old address stands for the password', async () => {
  answer('get', '/api/Account/Profile', { ...me, Email: 'old@yf.example' })
  answer('post', '/api/Account/SendContactCode', {
    Channel: 'email',
    To: 'o***@yf.example',
    RetryAfter: 60,
  })
  answer('post', '/api/Account/ChangeContact', { ...me, Email: 'zhang@yf.example' })
  renderDeskAt('/userCenter/user/account', Component)
  fireEvent.click(await screen.findByRole('button', { name: '更换邮箱' }))
  const dialog = within(await screen.findByRole('dialog'))
  fireEvent.change(dialog.getByRole('textbox', { name: '新邮箱' }), {
    target: { value: 'zhang@yf.example' },
  })
  fireEvent.click(dialog.getByRole('radio', { name: '原邮箱验证码' }))
  fireEvent.click(await dialog.findByRole('button', { name: '获取验证码：原邮箱验证码' }))
  expect(
    await dialog.findByText('验证码已发送至 o***@yf.example，10 分钟内有效'),
  ).toBeInTheDocument()
  expect(last('/api/Account/SendContactCode')).toEqual({
    Kind: 'email',
    Value: 'zhang@yf.example',
    To: 'old',
  })
  fireEvent.change(dialog.getByRole('textbox', { name: '验证码' }), { target: { value: '123456' } })
  fireEvent.change(dialog.getByRole('textbox', { name: '原邮箱验证码' }), {
    target: { value: '654321' },
  })
  fireEvent.click(dialog.getByRole('button', { name: '确认' }))
  expect(await screen.findByText('zhang@yf.example')).toBeInTheDocument()
  expect(last('/api/Account/ChangeContact')).toEqual({
    Kind: 'email',
    Value: 'zhang@yf.example',
    Code: '123456',
    ProofCode: '654321',
  })
})

test('without a mail address no code for a number can be sent, and the field says so', async () => {
  refuse('post', '/api/Account/SendContactCode', {
    code: 'wrong_state',
    message: '短信通道尚未开通，验证码需发送到您的邮箱，请先绑定邮箱',
  })
  renderDeskAt('/userCenter/user/account', Component)
  fireEvent.click(await screen.findByRole('button', { name: '更换手机号码' }))
  const dialog = within(await screen.findByRole('dialog'))
  fireEvent.change(dialog.getByRole('textbox', { name: '新手机号码' }), {
    target: { value: '13912345678' },
  })
  fireEvent.click(dialog.getByRole('button', { name: '获取验证码' }))
  expect(
    await dialog.findByText('短信通道尚未开通，验证码需发送到您的邮箱，请先绑定邮箱'),
  ).toBeInTheDocument()
})

test('the present sign-in cannot be ended here, another one can', async () => {
  answer('post', '/api/Account/Session/SignOut', { Ended: 1 })
  renderDeskAt('/userCenter/user/account', Component)
  const devices = within(await screen.findByRole('region', { name: '登录设备' }))
  const [here, there] = await devices.findAllByRole('listitem')
  expect(within(here as HTMLElement).queryByRole('button')).toBeNull()
  fireEvent.click(
    within(there as HTMLElement).getByRole('button', { name: '退出 Edge · Windows 的登录' }),
  )
  fireEvent.click(
    within(await screen.findByRole('tooltip')).getByRole('button', { name: /确\s*定/ }),
  )
  await waitFor(() => expect(last('/api/Account/Session/SignOut')).toEqual({ Id: 'b' }))
})

test('the second factor is enabled with the password and a code, and shows its recovery codes', async () => {
  answer('post', '/api/Account/SecondFactor/Begin', { Secret: 'ABCDEFGH', Uri: 'x', Qr: 'data:,' })
  answer('post', '/api/Account/SecondFactor/Confirm', { RecoveryCodes: ['7fkq2-mzp8d'] })
  renderDeskAt('/userCenter/user/account', Component)
  fireEvent.click(await screen.findByRole('button', { name: '添加验证器' }))
  fireEvent.change(await screen.findByLabelText('登录密码'), { target: { value: 'secret-1' } })
  fireEvent.click(screen.getByRole('button', { name: '下一步' }))
  expect(await screen.findByText('ABCD EFGH')).toBeInTheDocument()
  answer('get', '/api/Account/SecondFactor', factor(true))
  fireEvent.change(screen.getByRole('textbox', { name: '验证码' }), { target: { value: '482913' } })
  fireEvent.click(screen.getByRole('button', { name: '确认' }))
  expect(await screen.findByText('7fkq2-mzp8d')).toBeInTheDocument()
  expect(last('/api/Account/SecondFactor/Begin')).toEqual({ Password: 'secret-1' })
  expect(last('/api/Account/SecondFactor/Confirm')).toEqual({ SecondFactorCode: '482913' })
  expect(await screen.findByText('已开启')).toBeInTheDocument()
})

test('the last factor stays where the group requires one, and one of two can go', async () => {
  const passkey = {
    Id: '4',
    Name: '办公电脑',
    CreatedAt: '2026-03-05T09:00:00+08:00',
    UsedAt: null,
  }
  answer('get', '/api/Account/SecondFactor', {
    ...factor(true),
    Required: true,
    HasAuthenticator: false,
    Passkeys: [passkey],
  })
  const { unmount } = renderDeskAt('/userCenter/user/account', Component)
  const factors = within(await screen.findByRole('list', { name: '验证方式' }))
  expect(factors.getByText(/尚未使用/)).toBeVisible()
  expect(factors.queryByRole('button')).toBeNull()
  unmount()
  answer('get', '/api/Account/SecondFactor', {
    ...factor(true),
    Required: true,
    Passkeys: [passkey],
  })
  answer('post', '/api/Account/SecondFactor/PasskeyRemove', null)
  renderDeskAt('/userCenter/user/account', Component)
  fireEvent.click(await screen.findByRole('button', { name: '移除通行密钥 办公电脑' }))
  const dialog = within(await screen.findByRole('dialog'))
  fireEvent.change(dialog.getByRole('textbox', { name: /验证码/ }), { target: { value: '482913' } })
  fireEvent.click(dialog.getByRole('button', { name: '确认' }))
  await waitFor(() =>
    expect(last('/api/Account/SecondFactor/PasskeyRemove')).toEqual({
      Id: 4,
      SecondFactorCode: '482913',
    }),
  )
})
