import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'
import { pageOf } from '@/test/fixtures'
import { renderDeskAt } from '@/test/renderDesk'
import { answer, sent } from '@/test/server'
import { signIn } from '@/test/session'
import { Webhooks } from './Webhooks'

const bare = {
  Id: '7',
  Name: 'ERP',
  Url: 'https://erp.example.com/mall',
  Events: ['order', 'price'],
  Owner: { Id: '1', Name: '集管' },
  IsActive: true,
  PausedReason: '',
  Failures: 0,
  OldSecretUntil: null,
  DeliveredAt: '2026-03-05T14:07:00+08:00',
  CreatedAt: '2026-03-01T09:00:00+08:00',
  UpdatedAt: '2026-03-01T09:00:00+08:00',
}
const webhook = (given: object = {}): never => ({ ...bare, ...given }) as never
const delivery = (given: object = {}): never =>
  ({
    Id: '70',
    EventId: 'evt_9',
    Event: 'order.paid',
    Subject: 'SO1',
    State: 'failed',
    StateText: '已放弃',
    Attempts: 8,
    Replays: 0,
    StatusCode: 500,
    Answer: 'down',
    Error: '对方应答 500，须应答 2xx 才算送达',
    CreatedAt: '2026-03-05T14:07:00+08:00',
    NextAt: null,
    EndedAt: null,
    ...given,
  }) as never
const factors = (given: object = {}): never =>
  ({ Enabled: false, HasAuthenticator: false, Passkeys: [], ...given }) as never
const last = (method: string, path: string) =>
  sent.findLast((one) => one.method === method && one.url.pathname === path)
const row = async (name: string) =>
  within((await screen.findByText(name)).closest('tr') as HTMLElement)

beforeEach(() => {
  signIn({ utype: 'GA' })
  answer('get', '/api/Account/SecondFactor', factors())
  answer(
    'get',
    '/api/Webhook',
    pageOf(
      webhook(),
      webhook({
        Id: '8',
        Name: 'OA',
        IsActive: false,
        PausedReason: '连续 10 次推送失败：对方应答 500',
      }),
    ),
  )
})

test('each address says what it is told of, how it stands, and why the mall stopped it', async () => {
  renderDeskAt('/', Webhooks)
  expect((await row('ERP')).getByText('订单、价格与协议')).toBeVisible()
  const paused = await row('OA')
  expect(paused.getByText('自动暂停')).toBeVisible()
  expect(paused.getByText('连续 10 次推送失败：对方应答 500')).toBeVisible()
})

test('the secret of a new address is shown once', async () => {
  answer('post', '/api/Webhook', webhook({ Secret: 'whsec_abc' }))
  renderDeskAt('/', Webhooks)
  fireEvent.click(await screen.findByRole('button', { name: '新增推送地址' }))
  const dialog = within(await screen.findByRole('dialog'))
  fireEvent.change(dialog.getByLabelText('名称'), { target: { value: 'ERP' } })
  fireEvent.change(dialog.getByLabelText('推送地址'), {
    target: { value: ' https://erp.example.com/mall ' },
  })
  fireEvent.change(dialog.getByLabelText('您的登录密码'), { target: { value: 'demo-Mall-2026' } })
  fireEvent.click(dialog.getByRole('button', { name: '保存' }))
  expect(await screen.findByText('whsec_abc')).toBeInTheDocument()
  expect(last('POST', '/api/Webhook')?.body).toEqual({
    Name: 'ERP',
    Url: 'https://erp.example.com/mall',
    Events: ['order', 'shipment'],
    Password: 'demo-Mall-2026',
  })
  fireEvent.click(screen.getByRole('button', { name: '已保存密钥' }))
  await waitFor(() => expect(screen.queryByText('whsec_abc')).toBeNull())
})

test('what failed may be sent again', async () => {
  answer('get', '/api/Webhook/{Id}/Delivery', pageOf(delivery()))
  answer('post', '/api/Webhook/{Id}/Delivery/{DeliveryId}/Replay', delivery({ State: 'waiting' }))
  renderDeskAt('/', Webhooks)
  fireEvent.click((await row('ERP')).getByRole('button', { name: '推送记录' }))
  const drawer = await row('order.paid')
  expect(drawer.getByText('对方应答 500，须应答 2xx 才算送达')).toBeVisible()
  fireEvent.click(drawer.getByRole('button', { name: '重放' }))
  fireEvent.click(await screen.findByRole('button', { name: /确\s*定|OK/ }))
  await waitFor(() => expect(last('POST', '/api/Webhook/7/Delivery/70/Replay')).toBeDefined())
})

test('a new secret needs the password, and the code of a person with a second factor', async () => {
  answer('get', '/api/Account/SecondFactor', factors({ Enabled: true, HasAuthenticator: true }))
  answer('post', '/api/Webhook/{Id}/Rotate', webhook({ Secret: 'whsec_new' }))
  renderDeskAt('/', Webhooks)
  fireEvent.click((await row('ERP')).getByRole('button', { name: '更换密钥' }))
  const dialog = within(await screen.findByRole('dialog'))
  fireEvent.change(dialog.getByLabelText('您的登录密码'), { target: { value: 'demo-Mall-2026' } })
  fireEvent.change(await dialog.findByLabelText('验证码'), { target: { value: '123456' } })
  fireEvent.click(dialog.getByRole('button', { name: '更换密钥' }))
  expect(await screen.findByText('whsec_new')).toBeInTheDocument()
  expect(last('POST', '/api/Webhook/7/Rotate')?.body).toEqual({
    Password: 'demo-Mall-2026',
    SecondFactorCode: '123456',
  })
})
