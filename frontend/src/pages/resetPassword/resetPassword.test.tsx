import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { session } from '@/lib/session'
import { renderAt } from '@/test/render'
import { answer, refuse, sent } from '@/test/server'
import { signIn } from '@/test/session'
import { Component } from '.'
import { passwordRules } from '@/domain/account/passwordRules'

const SEND = '/api/Account/SendResetCode'
const CHECK = '/api/Account/CheckResetCode'
const RESET = '/api/Account/ResetPassword'
const CODE_WRONG = '验证码不正确或已过期，请核对邮件或重新获取'

const press = (name: string): Promise<void> => userEvent.click(screen.getByRole('button', { name }))

async function toCode(name = 'buyer'): Promise<void> {
  answer('post', SEND, null)
  await userEvent.type(screen.getByLabelText('账号'), name)
  await press('获取验证码')
  await screen.findByLabelText('邮箱验证码')
}

async function toPassword(): Promise<void> {
  await toCode()
  answer('post', CHECK, null)
  await userEvent.type(screen.getByLabelText('邮箱验证码'), '123456')
  await press('下一步')
  await screen.findByLabelText('新密码')
}

async function setPassword(password: string, again = password): Promise<void> {
  await userEvent.type(screen.getByLabelText('新密码'), password)
  await userEvent.type(screen.getByLabelText('确认新密码'), again)
  await press('重置密码')
}

test('the steps lead from the account to the new password, and end the session of this browser', async () => {
  signIn()
  renderAt('/resetPassword', Component)
  await toPassword()
  answer('post', RESET, null)
  await setPassword('another-Mall-2027')
  expect(await screen.findByRole('heading', { name: '密码已重置' })).toBeVisible()
  expect(sent.map(({ url, body }) => [url.pathname, body])).toEqual([
    [SEND, { UserName: 'buyer', Channel: 'email' }],
    [CHECK, { UserName: 'buyer', Code: '123456' }],
    [RESET, { UserName: 'buyer', Code: '123456', NewPassword: 'another-Mall-2027' }],
  ])
  expect(session.get()).toBeNull()
})

test('the step one is at is said', async () => {
  renderAt('/resetPassword', Component)
  await toCode()
  expect(
    screen.getByRole('list', { name: '重置步骤' }).querySelector('[aria-current="step"]'),
  ).toHaveTextContent('验证邮箱')
})

test('nothing is sent for an empty account', async () => {
  renderAt('/resetPassword', Component)
  await press('获取验证码')
  expect(screen.getByLabelText('账号')).toHaveAccessibleDescription('请输入账号')
  expect(sent).toEqual([])
})

test('a refusal of a code is said at once', async () => {
  refuse('post', SEND, {
    code: 'too_soon',
    message: '验证码刚刚发送过，请 60 秒后再获取',
    body: { RetryAfter: 60 },
  })
  renderAt('/resetPassword', Component)
  await userEvent.type(screen.getByLabelText('账号'), 'buyer')
  await press('获取验证码')
  expect(await screen.findByRole('alert')).toHaveTextContent('验证码刚刚发送过，请 60 秒后再获取')
})

test('who has a code already goes on without a call', async () => {
  renderAt('/resetPassword', Component)
  await userEvent.type(screen.getByLabelText('账号'), 'buyer')
  await press('已有验证码')
  expect(await screen.findByLabelText('邮箱验证码')).toBeVisible()
  expect(sent).toEqual([])
})

test('back and forth within a minute asks for no second code', async () => {
  renderAt('/resetPassword', Component)
  await toCode()
  await press('修改账号')
  await press('获取验证码')
  expect(await screen.findByLabelText('邮箱验证码')).toBeVisible()
  expect(sent).toHaveLength(1)
})

test("six digits, or an administrator's twelve characters, are a code", async () => {
  renderAt('/resetPassword', Component)
  await toCode()
  await userEvent.type(screen.getByLabelText('邮箱验证码'), '12a45')
  await press('下一步')
  expect(screen.getByLabelText('邮箱验证码')).toHaveValue('12A45')
  expect(screen.getByLabelText('邮箱验证码')).toHaveAccessibleDescription(
    '请输入 6 位数字验证码，或管理员给您的 12 位临时验证码',
  )
  expect(sent).toHaveLength(1)
})

test('a code that ran out meanwhile leads back to its step', async () => {
  renderAt('/resetPassword', Component)
  await toPassword()
  refuse('post', RESET, {
    code: 'validation',
    message: CODE_WRONG,
    body: { Errors: { Code: [CODE_WRONG] } },
  })
  await setPassword('another-Mall-2027')
  expect(await screen.findByLabelText('邮箱验证码')).toHaveAccessibleDescription(CODE_WRONG)
})

test.each([
  ['short', 'short', '新密码', '密码至少 8 个字符'],
  ['836403918274', '836403918274', '新密码', '密码不能全是数字'],
  ['buyer-2027', 'buyer-2027', '新密码', '密码不能与账号或昵称相似'],
  ['another-Mall', 'another-mall', '确认新密码', '两次输入的密码不一致'],
])('%s, then %s: said without a call', async (password, again, field, words) => {
  renderAt('/resetPassword', Component)
  await toPassword()
  await setPassword(password, again)
  expect(screen.getByLabelText(field)).toHaveAccessibleDescription(words)
  expect(sent).toHaveLength(2)
})

test('what the server alone knows of a password is said at its field', async () => {
  renderAt('/resetPassword', Component)
  await toPassword()
  const words = '这个密码过于常见，容易被猜到，请更换'
  refuse('post', RESET, {
    code: 'validation',
    message: words,
    body: { Errors: { NewPassword: [words] } },
  })
  await setPassword('password1')
  expect(await screen.findByText(words)).toBeVisible()
})

test('the rules hold one by one while one types', () => {
  const held = (password: string): boolean[] =>
    passwordRules(password, 'buyer').map(({ isMet: holds }) => holds)
  expect(held('')).toEqual([false, false, false])
  expect(held('12345678')).toEqual([true, false, true])
  expect(held('myBUYERkey')).toEqual([true, true, false])
  expect(held('Mall-2027')).toEqual([true, true, true])
})
