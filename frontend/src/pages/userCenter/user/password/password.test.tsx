import { fireEvent, screen, waitFor } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'
import { passwordStrength } from '@/domain/account/passwordRules'
import { renderDeskAt } from '@/test/renderDesk'
import { answer, refuse, sent } from '@/test/server'
import { signIn } from '@/test/session'
import { Component } from '.'

beforeEach(() => {
  signIn()
  answer('get', '/api/Account/SecondFactor', { Enabled: false })
  answer('get', '/api/Account/Profile', { UserName: 'buyer', NickName: '张采购' })
})

const fill = async (old: string, next: string, again = next): Promise<void> => {
  fireEvent.change(await screen.findByLabelText('原密码'), { target: { value: old } })
  fireEvent.change(screen.getByLabelText('新密码'), { target: { value: next } })
  fireEvent.change(screen.getByLabelText('确认新密码'), { target: { value: again } })
}

test.each([
  ['', ''],
  ['1234567', '弱'],
  ['12345678901', '弱'],
  ['aaaaaaaaaaaa', '弱'],
  ['my-buyer-2026', '弱'],
  ['office2026', '中'],
  ['Office-Paper-2026', '强'],
])('%s is called %s', (typed, text) => {
  expect(passwordStrength(typed, 'buyer').text).toBe(text)
})

test('the strength is shown while one types, and the change is sent', async () => {
  answer('post', '/api/Account/ChangePassword', null)
  renderDeskAt('/userCenter/user/password', Component)
  await fill('demo-Mall-2026', 'Office-Paper-2026')
  await waitFor(() =>
    expect(screen.getByRole('meter', { name: '密码强度' })).toHaveAttribute('aria-valuetext', '强'),
  )
  fireEvent.click(screen.getByRole('button', { name: '确认修改' }))
  await waitFor(() =>
    expect(sent.findLast(({ method }) => method === 'POST')?.body).toEqual({
      OldPassword: 'demo-Mall-2026',
      NewPassword: 'Office-Paper-2026',
    }),
  )
})

test('a person with a second factor gives its code, too', async () => {
  answer('get', '/api/Account/SecondFactor', {
    Enabled: true,
    HasAuthenticator: true,
    Passkeys: [],
  })
  answer('post', '/api/Account/ChangePassword', null)
  renderDeskAt('/userCenter/user/password', Component)
  await fill('demo-Mall-2026', 'Office-Paper-2026')
  fireEvent.change(await screen.findByLabelText('验证码'), { target: { value: '123456' } })
  fireEvent.click(screen.getByRole('button', { name: '确认修改' }))
  await waitFor(() =>
    expect(sent.findLast(({ method }) => method === 'POST')?.body).toEqual({
      OldPassword: 'demo-Mall-2026',
      NewPassword: 'Office-Paper-2026',
      SecondFactorCode: '123456',
    }),
  )
})

test('two that differ are not sent', async () => {
  renderDeskAt('/userCenter/user/password', Component)
  await fill('demo-Mall-2026', 'Office-Paper-2026', 'Office-Paper-2027')
  fireEvent.click(screen.getByRole('button', { name: '确认修改' }))
  expect(await screen.findByText('两次输入的密码不一致')).toBeInTheDocument()
  expect(sent.filter(({ method }) => method === 'POST')).toEqual([])
})

test('what the server refuses stands at its field', async () => {
  refuse('post', '/api/Account/ChangePassword', {
    code: 'validation',
    message: '不能使用最近 5 次用过的密码，请更换',
    body: { Errors: { NewPassword: ['不能使用最近 5 次用过的密码，请更换'] } },
  })
  renderDeskAt('/userCenter/user/password', Component)
  await fill('demo-Mall-2026', 'Office-Paper-2026')
  fireEvent.click(screen.getByRole('button', { name: '确认修改' }))
  expect(await screen.findByText('不能使用最近 5 次用过的密码，请更换')).toBeInTheDocument()
})
