import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, test } from 'vitest'
import { renderDeskAt } from '@/test/renderDesk'
import { answer, sent } from '@/test/server'
import { signIn } from '@/test/session'
import { Component, type Reminder, type ReminderPage } from './reminder'

const row = (given: Partial<Reminder> = {}): Reminder => ({
  ProductCode: '110001',
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
  MinQuantity: 1,
  StepQuantity: 1,
  Stock: 0,
  LeadDays: 1,
  SalesCount: 0,
  Rating: null,
  ReviewCount: 0,
  IsOnSale: true,
  CategoryId: '77',
  Valid: false,
  Problem: { Code: 'stock_short', Message: '库存不足' },
  Status: 'waiting',
  StatusText: '等待到货',
  CreatedAt: '2026-11-20T10:00:00+08:00',
  ToldAt: null,
  ArrivesOn: '2026-12-01',
  ...given,
})
const ROWS = [
  row(),
  row({
    ProductCode: '110002',
    CustomerProductName: '台灯',
    CustomerPrice: null,
    Problem: { Code: 'not_in_catalogue', Message: '不在您的采购目录内' },
  }),
  row({
    ProductCode: '110003',
    CustomerProductName: '订书机',
    Status: 'told',
    ToldAt: '2026-11-22T09:00:00+08:00',
    Valid: true,
    Problem: null,
    Stock: 9,
  }),
]
const page = (rows: Reminder[]): ReminderPage => ({
  Items: rows,
  Total: rows.length,
  PageIndex: 1,
  PageSize: 20,
  WaitingCount: 2,
  MaxCount: 100,
  Tabs: [
    { Code: '', Name: '全部', Count: rows.length },
    { Code: 'waiting', Name: '等待到货', Count: 2 },
    { Code: 'told', Name: '已提醒', Count: 1 },
  ],
})
const line = async (name: string): Promise<HTMLElement> =>
  (await screen.findByText(name)).closest('li') as HTMLElement
const reminders = (): ReturnType<typeof renderDeskAt> =>
  renderDeskAt('/userCenter/user/reminder', Component)

beforeEach(() => signIn())

test('each product says whether it is awaited, gone or back', async () => {
  answer('get', '/api/RestockReminder', page(ROWS))
  reminders()
  expect(await line('墨岚 中性笔')).toHaveTextContent('预计 2026-12-01 到货')
  expect(screen.getByText('等待到货 2 种，最多 100 种')).toBeVisible()
  const gone = await line('墨岚 台灯')
  expect(gone).toHaveTextContent('不在您的采购目录内')
  expect(within(gone).getByRole('link', { name: '看同类商品' })).toHaveAttribute(
    'href',
    '/product/index?Cid=77',
  )
  expect(within(await line('墨岚 订书机')).getByRole('link', { name: '去购买' })).toHaveAttribute(
    'href',
    '/110003.html',
  )
})

test('a product is removed from the list', async () => {
  answer('get', '/api/RestockReminder', page(ROWS))
  answer('delete', '/api/RestockReminder/{ProductCode}', null)
  reminders()
  await userEvent.click(await screen.findByRole('button', { name: '移除：墨岚 台灯' }))
  await waitFor(() =>
    expect(sent.find(({ method }) => method === 'DELETE')?.url.pathname).toBe(
      '/api/RestockReminder/110002',
    ),
  )
})

test('an empty list says how a product gets here', async () => {
  answer('get', '/api/RestockReminder', page([]))
  reminders()
  expect(await screen.findByText('还没有登记到货提醒')).toBeVisible()
})
