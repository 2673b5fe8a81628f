import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { http } from 'msw'
import { beforeEach, expect, test } from 'vitest'
import { renderAt } from '@/test/render'
import { answer, sent, server } from '@/test/server'
import { signIn } from '@/test/session'
import { Component } from '.'
import type { RankAnswer, RankRow } from './query'

const row = (given: Partial<RankRow> = {}): RankRow => ({
  Place: 1,
  Before: 3,
  Times: 6,
  Quantity: 20,
  Amount: '200.00',
  ProductCode: '110001',
  ImageUrl: '/p.svg',
  CustomerProductName: '中性笔',
  CustomerCode: '',
  CustomerPrice: '10.00',
  MallPrice: '12.00',
  IsAgreementPrice: true,
  Brand: '墨岚',
  ModelCode: 'ML-1',
  Unit: '支',
  MinQuantity: 1,
  StepQuantity: 1,
  Stock: 100,
  IsOnSale: true,
  Rating: null,
  ReviewCount: 0,
  ...given,
})
const ranked = (rows: RankRow[], given: Partial<RankAnswer> = {}): RankAnswer => ({
  From: '2026-10-23',
  To: '2026-11-21',
  Whose: '本企业',
  Categories: [{ CategoryId: '7', Name: '书写', Count: 1 }],
  Items: rows,
  Gap: null,
  ...given,
})
const show = (query = ''): ReturnType<typeof renderAt> =>
  renderAt(`/product/rank${query}`, Component)
const asked = (): URLSearchParams | undefined =>
  sent.findLast(({ url }) => url.pathname === '/api/Product/Rank')?.url.searchParams

beforeEach(() => {
  signIn()
  answer(
    'get',
    '/api/Product/Rank',
    ranked([
      row(),
      row({ Place: 2, Before: null, ProductCode: '110002' }),
      row({ Place: 3, Before: 1, ProductCode: '110003' }),
    ]),
  )
})

test('each place says how it has moved', async () => {
  show()
  const lines = within(await screen.findByRole('list', { name: '企业排行' })).getAllByRole(
    'listitem',
  )
  expect(
    lines.map(({ textContent }) => /升 \d+ 名|降 \d+ 名|新上榜/.exec(textContent ?? '')?.[0]),
  ).toEqual(['升 2 名', '新上榜', '降 2 名'])
  expect(lines[0]).toHaveTextContent('下单 6 次')
})

test('products of one place share it', async () => {
  answer(
    'get',
    '/api/Product/Rank',
    ranked([
      row(),
      row({ Place: 1, ProductCode: '110002' }),
      row({ Place: 3, ProductCode: '110003' }),
    ]),
  )
  show()
  const lines = within(await screen.findByRole('list', { name: '企业排行' })).getAllByRole(
    'listitem',
  )
  expect(lines.map(({ textContent }) => textContent?.includes('并列'))).toEqual([true, true, false])
})

test('it says which days and whose orders are counted', async () => {
  show()
  expect(
    await screen.findByText(/统计 2026-10-23 至 2026-11-21 的有效订单（数据范围：本企业）/),
  ).toBeVisible()
})

test('scope, period, measure and category are asked of the server and kept in the address', async () => {
  const page = show('?Cid=7')
  await screen.findByRole('list', { name: '企业排行' })
  await userEvent.click(screen.getByRole('button', { name: '近一年' }))
  await userEvent.click(screen.getByRole('button', { name: '按金额' }))
  await waitFor(() =>
    expect(Object.fromEntries(asked() ?? [])).toMatchObject({
      Scope: 'enterprise',
      Period: 'year',
      Measure: 'amount',
      Cid: '7',
    }),
  )
  expect(page.location()).toContain('Period=year')
  await userEvent.click(screen.getByRole('tab', { name: '行业排行' }))
  await waitFor(() => expect(asked()?.get('Scope')).toBe('industry'))
  expect(asked()?.has('Cid')).toBe(false)
})

test('the industry shows places without figures', async () => {
  answer(
    'get',
    '/api/Product/Rank',
    ranked([row({ Times: null, Quantity: null, Amount: null })], { Whose: null }),
  )
  show('?Scope=industry')
  const line = within(await screen.findByRole('list', { name: '行业排行' })).getByRole('listitem')
  expect(line).not.toHaveTextContent('下单')
  expect(screen.getByText(/满 5 家集团购买/)).toBeVisible()
})

test('while the industry is on its way its list shows no row of the own ranking', async () => {
  show()
  await screen.findByRole('list', { name: '企业排行' })
  server.use(http.get('/api/Product/Rank', () => new Promise<never>(() => undefined)))
  await userEvent.click(screen.getByRole('tab', { name: '行业排行' }))
  await waitFor(() => expect(screen.queryByRole('list', { name: '企业排行' })).toBeNull())
  expect(screen.queryByRole('list', { name: '行业排行' })).toBeNull()
})

test('an empty ranking says why and offers a wider one', async () => {
  answer(
    'get',
    '/api/Product/Rank',
    ranked([], { Categories: [], Gap: { Code: 'too_few_groups', Message: '行业数据不足 5 家' } }),
  )
  const page = show('?Scope=industry')
  expect(await screen.findByText('行业数据不足 5 家')).toBeVisible()
  await userEvent.click(screen.getByRole('button', { name: '看近一年' }))
  expect(page.location()).toContain('Period=year')
})
