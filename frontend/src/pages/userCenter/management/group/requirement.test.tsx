import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'
import { renderDeskAt } from '@/test/renderDesk'
import { answer, sent } from '@/test/server'
import { signIn } from '@/test/session'
import { Settings } from './Settings'

const group = {
  Id: '3',
  Code: 'YF',
  Name: '云帆集团',
  CanEdit: true,
  UpdatedAt: '2026-03-01T09:00:00+08:00',
  Settings: {
    OverBudget: 'budget',
    BudgetChoice: 'free',
    PaymentKinds: ['credit'],
    InvoiceKinds: ['e_normal'],
    ApprovalRemindHours: 8,
    ApprovalEscalateHours: 16,
    AllowsWeChatWork: true,
    SessionHours: null,
    HasSingleSession: false,
    RequiresSecondFactor: false,
  },
} as never

const Page = () => <Settings group={group} />

const gap = (given: object): void =>
  answer('get', '/api/Group/{Id}/SecondFactorGap', {
    People: 12,
    Without: 9,
    HasOwn: true,
    ...given,
  })

beforeEach(() => {
  signIn({ utype: 'GA' })
  answer('get', '/api/Account/SecondFactor', {
    Enabled: true,
    HasAuthenticator: true,
    Passkeys: [],
  })
  answer('patch', '/api/Group/{Id}', group)
})

const turnOn = async () => {
  renderDeskAt('/', Page)
  fireEvent.click(await screen.findByRole('switch', { name: '登录须两步验证' }))
  fireEvent.click(screen.getByRole('button', { name: '保存设置' }))
  return within(await screen.findByRole('dialog'))
}

test('the requirement says how many people it reaches, and needs password and code', async () => {
  gap({})
  const dialog = await turnOn()
  expect(await dialog.findByText(/12 个启用的账号中，9 个尚未设置两步验证/)).toBeVisible()
  fireEvent.change(dialog.getByLabelText('您的登录密码'), { target: { value: 'demo-Mall-2026' } })
  fireEvent.change(await dialog.findByLabelText('验证码'), { target: { value: '123456' } })
  fireEvent.click(dialog.getByRole('button', { name: /确\s*认/ }))
  await waitFor(() =>
    expect(sent.findLast(({ method }) => method === 'PATCH')?.body).toMatchObject({
      RequiresSecondFactor: true,
      Password: 'demo-Mall-2026',
      SecondFactorCode: '123456',
      UpdatedAt: '2026-03-01T09:00:00+08:00',
    }),
  )
})

test('a person without a second factor is led to set it up first', async () => {
  gap({ HasOwn: false })
  const dialog = await turnOn()
  expect(await dialog.findByRole('alert')).toHaveTextContent('请先在个人信息 › 两步验证')
  expect(dialog.queryByLabelText('您的登录密码')).toBeNull()
  fireEvent.click(dialog.getByRole('button', { name: '知道了' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(sent.some(({ method }) => method === 'PATCH')).toBe(false)
})
