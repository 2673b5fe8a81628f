import { screen } from '@testing-library/react'
import { useQuery } from '@tanstack/react-query'
import { expect, test } from 'vitest'
import { unreadCount } from '@/domain/notices/notices'
import { useCalm } from '@/lib/useCalm'
import { narrowToPhone } from '@/test/media'
import { renderAt } from '@/test/render'
import { answer, sent } from '@/test/server'
import { signIn } from '@/test/session'
import { Header } from './Header'
import { SideBar } from './SideBar'
import { TopBar } from './TopBar'

const show = async (count: number, claims: Record<string, unknown> = {}): Promise<void> => {
  signIn(claims)
  answer('post', '/api/ShoppingCart/Count', count)
  answer('post', '/api/Product/SupposeCategory', [{ Keywords: '复印纸', IsHighlight: false }])
  answer('post', '/api/ManageService/EnterpriseGroupSet', { CustomerLogo: null })
  renderAt('/', Header)
  await screen.findByRole('link', { name: '复印纸' })
}

const showCart = async (count: number): Promise<HTMLElement> => {
  await show(count)
  return screen.getByRole('link', { name: /^购物车/ })
}

test('the badge counts the cart', async () =>
  expect(await showCart(12)).toHaveTextContent('购物车12'))

test('above 99 the badge says 99+', async () =>
  expect(await showCart(100)).toHaveTextContent('购物车99+'))

test('an empty cart has no badge', async () =>
  expect((await showCart(0)).textContent).toBe('购物车'))

test('for a visitor nothing is counted', () => {
  renderAt('/', Header)
  expect(screen.getByRole('link', { name: '购物车' })).toBeVisible()
  expect(sent).toEqual([])
})

test('a person who may fill the cart has the entry 一键选品', async () => {
  await show(0, { Purchasing: 'request' })
  expect(screen.getByRole('link', { name: '一键选品' })).toBeVisible()
})

test.each(['browse', 'unpriced'])(
  'with the right %s there is neither 一键选品 nor 购物车, and nothing is counted',
  async (Purchasing) => {
    await show(0, { Purchasing })
    expect(screen.queryByRole('link', { name: /一键选品|购物车/ })).toBeNull()
    expect(sent.filter(({ url }) => url.pathname.endsWith('/ShoppingCart/Count'))).toEqual([])
  },
)

test.each([TopBar, SideBar])('a person who may only browse has no 购物车 in %o', async (Bar) => {
  signIn({ Purchasing: 'browse' })
  answer('post', '/api/ShoppingCart/Count', 0)
  const { unmount } = renderAt('/', Bar)
  expect(await screen.findByRole('link', { name: /我的工作台|AI 咨询/ })).toBeVisible()
  expect(screen.queryByRole('link', { name: /^购物车/ })).toBeNull()
  unmount()

  signIn({ Purchasing: 'request' })
  renderAt('/', Bar)
  expect(await screen.findByRole('link', { name: /^购物车/ })).toBeInTheDocument()
})

/** The header, and a part that asks for its data at the same time as the hot words. */
function HeaderAndBell() {
  const { data } = useQuery({ ...unreadCount('1'), enabled: useCalm() })
  return (
    <>
      <Header />
      {data && <p>{data.Count} 条未读</p>}
    </>
  )
}

test('a phone asks neither for the hot words nor for the logo, which it does not show', async () => {
  narrowToPhone()
  signIn()
  answer('post', '/api/ShoppingCart/Count', 3)
  answer('get', '/api/Notice/UnreadCount', { Count: 19 })
  answer('post', '/api/Product/SupposeCategory', [{ Keywords: '复印纸', IsHighlight: false }])
  answer('post', '/api/ManageService/EnterpriseGroupSet', { CustomerLogo: null })
  renderAt('/', HeaderAndBell)
  await screen.findByText('19 条未读')
  expect(sent.map(({ url }) => url.pathname)).toEqual([
    '/api/ShoppingCart/Count',
    '/api/Notice/UnreadCount',
  ])
})
