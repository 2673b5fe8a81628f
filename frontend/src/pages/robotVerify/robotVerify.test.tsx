import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, test } from 'vitest'
import { renderAt } from '@/test/render'
import { answer, refuse, sent } from '@/test/server'
import { Toasts } from '@/ui/Toasts'
import { Component } from '.'

const Page = () => (
  <>
    <Component />
    <Toasts />
  </>
)

beforeEach(() =>
  answer('get', '/api/Account/Captcha', {
    Id: 'c1',
    Background: 'data:,',
    Piece: 'data:,',
    Y: 20,
    Width: 340,
    Height: 180,
    PieceSize: 50,
  }),
)

async function slide(): Promise<void> {
  await waitFor(() => expect(screen.getByRole('slider')).toBeEnabled())
  screen.getByRole('slider').focus()
  await userEvent.keyboard('{ArrowRight}{ArrowRight}{Enter}')
  await userEvent.click(screen.getByRole('button', { name: '确定' }))
}

test('the slide comes first', async () => {
  renderAt('/robotVerify', Page)
  await userEvent.click(screen.getByRole('button', { name: '确定' }))
  expect(await screen.findByText('请先完成滑动验证')).toBeInTheDocument()
})

test('a wrong slide, and a server that fails, are told apart', async () => {
  refuse('post', '/api/Account/UnLock', { code: 'captcha_required' })
  renderAt('/robotVerify', Page)
  await slide()
  expect(await screen.findByText('验证码验证失败，请重试')).toBeInTheDocument()
  refuse('post', '/api/Account/UnLock', { status: 500 })
  await slide()
  expect(await screen.findByText('验证失败，请重试')).toBeInTheDocument()
})

test('a block that was lifted too often says to wait', async () => {
  refuse('post', '/api/Account/UnLock', {
    status: 429,
    code: 'rate_limited',
    message: '操作过于频繁，请稍后再试',
    body: { RetryAfter: 40 },
    headers: { 'Retry-After': '40' },
  })
  renderAt('/robotVerify', Page)
  await slide()
  expect(await screen.findByText('操作过于频繁，请稍后再试')).toBeInTheDocument()
})

test.each([
  ['?redirect=/shop/cart', '/shop/cart'],
  ['?redirect=//evil.test', '/'],
  ['', '/'],
])('done at %s, it leads to %s', async (query, target) => {
  answer('post', '/api/Account/UnLock', null)
  const page = renderAt(`/robotVerify${query}`, Page, '/robotVerify')
  await slide()
  expect(await screen.findByText('别的页面')).toBeVisible()
  expect(page.location()).toBe(target)
  const body = sent.at(-1)?.body as { CaptchaVerifyParam: string }
  expect(JSON.parse(body.CaptchaVerifyParam)).toMatchObject({ Id: 'c1', X: 10 })
})
