import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { http, HttpResponse } from 'msw'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { call } from '@/api/call'
import { renderAt } from '@/test/render'
import { answer, refuse, sent, server } from '@/test/server'
import { signIn } from '@/test/session'
import { Toasts } from '@/ui/Toasts'
import { ShellDialogs } from './ShellDialogs'

const BLOCK = {
  Ip: '1.2.3.4',
  CurrentTime: '2026-03-05 14:07:00',
  Target: '/api/Product',
  Guid: 'g-1',
}
const Page = () => (
  <>
    <ShellDialogs />
    <Toasts />
  </>
)
const ask = (): Promise<unknown> =>
  call('get', '/api/Product', { quiet: true }).catch((error: unknown) => error)

beforeEach(() => refuse('get', '/api/Account/Captcha', { status: 500 }))

// Close open dialogs after each test, because calls wait for them.
afterEach(() => screen.queryByRole('button', { name: '取消' })?.click())

test('a blocked client sees who, when, where and the number of the block', async () => {
  refuse('get', '/api/Product', { status: 429, body: BLOCK })
  renderAt('/', Page)
  void ask()
  const dialog = await screen.findByRole('dialog', { name: '安全验证' })
  expect(dialog).toHaveTextContent('系统识别到您的访问存在安全隐患')
  for (const fact of Object.values(BLOCK)) expect(dialog).toHaveTextContent(fact)
})

test('what the block does not tell reads 未知', async () => {
  refuse('get', '/api/Product', { status: 429 })
  renderAt('/', Page)
  void ask()
  expect((await screen.findByRole('dialog')).textContent.match(/未知/g)).toHaveLength(4)
})

test('the login page shows the reason of an ended session without a dialog', async () => {
  refuse('get', '/api/Product', { status: 401 })
  renderAt('/login', Page)
  await ask()
  expect(await screen.findByText('未登录或登录已过期，请重新登录')).toBeInTheDocument()
  expect(screen.queryByRole('dialog')).toBeNull()
})

test('who is to sign in again is asked once the page is there, though the answer came before it', async () => {
  refuse('get', '/api/Product', { status: 401 })
  await ask()
  renderAt('/', Page)
  expect(await screen.findByRole('dialog', { name: '系统提示' })).toBeVisible()
})

test("the reason of the prompt stays when a visitor's call is refused behind it", async () => {
  signIn()
  refuse('get', '/api/Product', { status: 401 })
  refuse('post', '/api/Account/RefreshToken', { message: '用户信息不存在' })
  renderAt('/', Page)
  await ask()
  await ask()
  expect(await screen.findByRole('dialog', { name: '系统提示' })).toHaveTextContent(
    '用户信息不存在',
  )
})

test('several blocked calls open one dialog', async () => {
  refuse('get', '/api/Product', { status: 429, body: BLOCK })
  renderAt('/', Page)
  void Promise.all([ask(), ask(), ask()])
  await screen.findByRole('dialog')
  expect(screen.getAllByRole('dialog')).toHaveLength(1)
})

test('the slide comes before the button', async () => {
  refuse('get', '/api/Product', { status: 429, body: BLOCK })
  renderAt('/', Page)
  void ask()
  await userEvent.click(await screen.findByRole('button', { name: '确定' }))
  expect(await screen.findByText('请先完成滑动验证')).toBeInTheDocument()
})

test('giving up refuses the call and closes the dialog', async () => {
  refuse('get', '/api/Product', { status: 429, body: BLOCK })
  renderAt('/', Page)
  const asked = ask()
  await userEvent.click(await screen.findByRole('button', { name: '取消' }))
  expect(await asked).toMatchObject({ status: 429 })
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
})

test('what needs login offers to sign in again, and back', async () => {
  server.use(
    http.post('/api/ShoppingCart/AddToCart', () =>
      HttpResponse.json({ MsgHeader: { Success: false } }, { status: 401 }),
    ),
  )
  answer('get', '/api/Product', null)
  const page = renderAt('/110003.html', Page)
  void call('post', '/api/ShoppingCart/AddToCart', { body: { Items: [] } }).catch(() => undefined)
  const dialog = await screen.findByRole('dialog', { name: '系统提示' })
  expect(dialog).toHaveTextContent('未登录或登录已过期，请重新登录')
  await userEvent.click(screen.getByRole('button', { name: '重新登录' }))
  await waitFor(() => expect(page.location()).toBe('/login?redirect=%2F110003.html'))
})

test('the slide names the block that it lifts', async () => {
  refuse('get', '/api/Product', { status: 429, body: BLOCK })
  answer('get', '/api/Account/Captcha', {
    Id: 'c1',
    Background: 'data:,',
    Piece: 'data:,',
    Y: 20,
    Width: 340,
    Height: 180,
    PieceSize: 50,
  })
  answer('post', '/api/Account/UnLock', null)
  renderAt('/', Page)
  void ask()
  await waitFor(() => expect(screen.getByRole('slider')).toBeEnabled())
  screen.getByRole('slider').focus()
  await userEvent.keyboard('{ArrowRight}{ArrowRight}{Enter}')
  await userEvent.click(screen.getByRole('button', { name: '确定' }))
  await screen.findByText('验证成功')
  expect(sent.find(({ url }) => url.pathname === '/api/Account/UnLock')?.body).toMatchObject({
    Guid: 'g-1',
  })
})
