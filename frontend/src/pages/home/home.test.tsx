import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { renderAt } from '@/test/render'
import { answer, refuse, sent } from '@/test/server'
import { signIn } from '@/test/session'
import { Component } from '.'

const root = (id: string, name: string, group: string) => ({ C1: { CategoryId: id, Name: name, CategoryGroup: group }, Category2List: [{ C2: { CategoryId: `${id}1`, Name: `${name}小类` }, Category3List: [] }] })
const tree = [root('1', '书写修正', '办公用品'), root('2', '文件管理', '办公用品'), root('3', '打印耗材', '办公耗材')]
const pen = { ProductCode: '110003', ImageUrl: '', CustomerProductName: '红色中性笔', CustomerPrice: '1.41', MallPrice: '1.60', Brand: '笺禾', Unit: '支', MinQuantity: 10, Stock: 5 }
const asked = (): string[] => sent.filter(({ url }) => url.pathname === '/api/Product').map(({ url }) => url.searchParams.get('Cid') ?? '')

test('a visitor sees a floor for each group of the public tree, with products', async () => {
  answer('post', '/api/Category/MallCategories', tree)
  answer('get', '/api/Product', { Items: [pen] })
  renderAt('/', Component)
  const floor = await screen.findByRole('region', { name: '办公耗材' })
  expect(await within(floor).findByRole('link', { name: '红色中性笔' })).toHaveAttribute('href', '/110003.html')
})

test('the first floor is asked for before the others', async () => {
  answer('post', '/api/Category/MallCategories', tree)
  answer('get', '/api/Product', { Items: [pen] })
  renderAt('/', Component)
  await waitFor(() => expect(asked()).toEqual(['1', '3']))
})

test('a tab of a floor shows the best sellers of its category', async () => {
  answer('post', '/api/Category/MallCategories', tree)
  answer('get', '/api/Product', { Items: [pen] })
  renderAt('/', Component)
  await userEvent.click(await screen.findByRole('button', { name: '文件管理' }))
  await waitFor(() => expect(asked().at(-1)).toBe('2'))
})

test('a floor that could not be loaded offers another try', async () => {
  answer('post', '/api/Category/MallCategories', tree.slice(0, 1))
  refuse('get', '/api/Product', { status: 500 })
  renderAt('/', Component)
  const failed = await screen.findByRole('alert')
  answer('get', '/api/Product', { Items: [pen] })
  await userEvent.click(within(failed).getByRole('button', { name: '重新加载' }))
  expect(await screen.findByRole('link', { name: '红色中性笔' })).toBeVisible()
})

test('a floor without a product is not there', async () => {
  answer('post', '/api/Category/MallCategories', tree.slice(0, 1))
  answer('get', '/api/Product', { Items: [] })
  renderAt('/', Component)
  expect(await screen.findByRole('region', { name: '办公用品' })).toBeVisible()
  await waitFor(() => expect(screen.queryByRole('region', { name: '办公用品' })).toBeNull())
})

test('the card of a buyer says what waits and what is left of the budget', async () => {
  signIn()
  answer('post', '/api/Category/GetCustomerCategories', [])
  answer('get', '/api/Workbench', { Counts: { PendingApproval: 3, PendingReceipt: 2 }, Budgets: [{ Name: '部门预算', Amount: '1000.00', Available: '250.00' }], FrequentlyBought: [] })
  renderAt('/', Component)
  const card = screen.getByRole('region', { name: '我的工作' })
  expect(await within(card).findByRole('link', { name: '3待我审批' })).toBeVisible()
  expect(within(card).getByText('¥250.00')).toBeVisible()
})
