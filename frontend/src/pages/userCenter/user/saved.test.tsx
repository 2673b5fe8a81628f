import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, test } from 'vitest'
import type { SavedPage, SavedProduct } from '@/domain/catalog/savedProducts'
import { renderDeskAt } from '@/test/renderDesk'
import { answer, sent } from '@/test/server'
import { signIn } from '@/test/session'
import { Component as Browse } from './browse'
import { Component as Favorite } from './favorite'
import { byDay, dayTitle } from './filters'

const row = (given: Partial<SavedProduct> = {}): SavedProduct => ({
  ProductCode: '110001',
  TargetId: '110001',
  Type: 1,
  CreatedAt: '2026-11-20T10:00:00+08:00',
  ImageUrl: '/p.svg',
  CustomerProductName: '中性笔',
  CustomerCode: '',
  CustomerPrice: '8.50',
  MallPrice: '10.00',
  IsAgreementPrice: false,
  Brand: '墨岚',
  ModelCode: 'ML-1',
  Pack: '',
  Unit: '支',
  BaseUnit: '',
  Contents: null,
  BaseUnitPrice: null,
  Tiers: [],
  MinQuantity: 2,
  StepQuantity: 2,
  Stock: 100,
  LeadDays: 1,
  SalesCount: 0,
  Rating: null,
  ReviewCount: 0,
  IsOnSale: true,
  AddedPrice: '10.00',
  PriceChange: '-1.50',
  CategoryId: '77',
  Valid: true,
  Specs: [],
  Problem: null,
  ...given,
})
const page = (rows: SavedProduct[], given: Partial<SavedPage> = {}): SavedPage => ({
  Items: rows,
  Total: rows.length,
  PageIndex: 1,
  PageSize: 20,
  MaxRows: 500,
  Summary: {
    Total: rows.length,
    Dropped: 1,
    InStock: rows.length,
    Categories: [{ CategoryId: '7', Name: '书写', Count: rows.length }],
  },
  ...given,
})
const off = row({
  ProductCode: '110002',
  CustomerProductName: '台灯',
  Valid: false,
  Problem: { Code: 'off_sale', Message: '该商品已下架，请更换其他商品' },
})
const posted = (path: string): unknown =>
  sent.findLast(({ method, url }) => method === 'POST' && url.pathname === path)?.body
const favourites = (): ReturnType<typeof renderDeskAt> =>
  renderDeskAt('/userCenter/user/favorite', Favorite)

beforeEach(() => {
  signIn()
  answer('get', '/api/Favorite', page([row(), off]))
})

test('a kept product shows what its price has done since', async () => {
  favourites()
  expect(await screen.findByText(/比收藏时降 ¥1.50/)).toBeVisible()
  expect(screen.getByText('已收藏 2 种，最多 500 种')).toBeVisible()
})

test('what is off sale says why and leads to the like', async () => {
  favourites()
  const line = (await screen.findByText('墨岚 台灯')).closest('li') as HTMLElement
  expect(line).toHaveTextContent('该商品已下架')
  expect(within(line).getByRole('link', { name: '看同类商品' })).toHaveAttribute(
    'href',
    '/product/index?Cid=77',
  )
  expect(within(line).queryByRole('link', { name: '墨岚 台灯' })).toBeNull()
})

test('all that are ticked go into the cart, and what could not is named', async () => {
  answer('post', '/api/Favorite/AddToCart', {
    Added: 1,
    LeftOut: [
      {
        ProductCode: '110002',
        CustomerProductName: '台灯',
        Brand: '墨岚',
        Message: '已下架，请更换其他商品',
      },
    ],
  })
  favourites()
  await userEvent.click(await screen.findByRole('checkbox', { name: '全选本页' }))
  await userEvent.click(screen.getByRole('checkbox', { name: '加入购物车后移除' }))
  await userEvent.click(screen.getByRole('button', { name: '批量加入购物车' }))
  expect(await screen.findByRole('dialog')).toHaveTextContent('已下架，请更换其他商品')
  expect(posted('/api/Favorite/AddToCart')).toMatchObject({
    Items: [{ ProductCode: '110001', Quantity: 2 }, { ProductCode: '110002' }],
    Type: 1,
    Remove: true,
  })
})

test('removing many is asked first', async () => {
  answer('post', '/api/Favorite/Remove', 2)
  favourites()
  await userEvent.click(await screen.findByRole('checkbox', { name: '全选本页' }))
  await userEvent.click(screen.getByRole('button', { name: '批量移除' }))
  expect(posted('/api/Favorite/Remove')).toBeUndefined()
  await userEvent.click(within(screen.getByRole('dialog')).getByRole('button', { name: '移除' }))
  await waitFor(() =>
    expect(posted('/api/Favorite/Remove')).toEqual({ TargetIds: ['110001', '110002'], Type: 1 }),
  )
})

test('a tab narrows the list and is kept in the address', async () => {
  const shown = favourites()
  await userEvent.click(await screen.findByRole('tab', { name: /降价/ }))
  await waitFor(() => expect(sent.at(-1)?.url.searchParams.get('Dropped')).toBe('1'))
  expect(shown.location()).toContain('View=dropped')
})

test('an empty list says how it fills', async () => {
  answer('get', '/api/Favorite', page([]))
  favourites()
  expect(await screen.findByText('还没有收藏的商品')).toBeVisible()
})

test('browse records stand under their days, and the page says how many are kept', async () => {
  answer(
    'get',
    '/api/Favorite',
    page([row(), row({ ProductCode: '110003', CreatedAt: '2026-11-18T23:30:00+00:00' })], {
      MaxRows: 100,
    }),
  )
  renderDeskAt('/userCenter/user/browse', Browse)
  expect(await screen.findByText('只保留最近浏览的 100 种商品')).toBeVisible()
  expect(
    screen.getAllByRole('heading', { level: 2 }).map(({ textContent }) => textContent),
  ).toEqual([expect.stringContaining('2026-11-20'), expect.stringContaining('2026-11-19')])
})

test('all of the browse record goes after a question', async () => {
  answer('post', '/api/Favorite/Clear', 2)
  renderDeskAt('/userCenter/user/browse', Browse)
  await userEvent.click(await screen.findByRole('button', { name: '清空' }))
  await userEvent.click(within(screen.getByRole('dialog')).getByRole('button', { name: '清空' }))
  await waitFor(() => expect(posted('/api/Favorite/Clear')).toEqual({ Type: 2 }))
})

test('days are named by the calendar in Shanghai', () => {
  const now = new Date('2026-11-20T17:00:00Z')
  expect(['2026-11-21', '2026-11-20', '2026-11-19'].map((day) => dayTitle(day, now))).toEqual([
    '今天（2026-11-21 星期六）',
    '昨天（2026-11-20 星期五）',
    '2026-11-19 星期四',
  ])
  expect(byDay([row({ CreatedAt: '2026-11-19T17:00:00Z' })]).map(([day]) => day)).toEqual([
    '2026-11-20',
  ])
})
