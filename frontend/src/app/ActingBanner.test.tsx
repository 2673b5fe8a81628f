import { QueryClientProvider } from '@tanstack/react-query'
import { act, render, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { session, useSession } from '@/lib/session'
import { testClient } from '@/test/render'
import { answer, sent } from '@/test/server'
import { signIn } from '@/test/session'
import { toasts } from '@/ui/toast'
import { ActingBanner } from './ActingBanner'

function Strip() {
  const person = useSession()
  return person ? <ActingBanner person={person} /> : <p>已退出</p>
}

const open = () =>
  render(
    <QueryClientProvider client={testClient()}>
      <Strip />
    </QueryClientProvider>,
  )

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date', 'setInterval', 'clearInterval'] })
  signIn({ Acting: { By: '王客服', Reason: '协助对账', Seconds: 125 } })
  answer('post', '/api/Account/Logout', null)
})
afterEach(() => void vi.useRealTimers())

const pass = (milliseconds: number): void => act(() => void vi.advanceTimersByTime(milliseconds))

test('the strip says who, as whom, why, and counts the time down', () => {
  open()
  expect(screen.getByRole('region', { name: '代客户登录' })).toHaveTextContent(
    '王客服 正以 张采购（示例公司）的身份操作原因：协助对账剩余 2:05',
  )
  pass(6000)
  expect(screen.getByRole('timer')).toHaveTextContent('1:59')
})

test('ending it signs out here and on the server', async () => {
  open()
  act(() => screen.getByRole('button', { name: '结束代登录' }).click())
  expect(await screen.findByText('已退出')).toBeVisible()
  expect(sent.map(({ url, body }) => [url.pathname, body])).toEqual([
    ['/api/Account/Logout', { RefreshToken: 'refresh-1' }],
  ])
})

test('when the time is over one is signed out and told so', async () => {
  open()
  pass(125_000)
  await waitFor(() => expect(session.get()).toBeNull())
  expect(toasts.get().at(-1)?.text).toBe('代客户登录的时间已到，已退出')
})
