import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, test } from 'vitest'
import { inquiryDetail } from '@/test/fixtures'
import { renderDeskAt } from '@/test/renderDesk'
import { answer, refuse, sent } from '@/test/server'
import { signIn } from '@/test/session'
import { Component } from '.'

const show = (query = ''): ReturnType<typeof renderDeskAt> =>
  renderDeskAt(`/userCenter/order/productInquiry/apply${query}`, Component)
const asked = (): unknown =>
  sent.findLast(({ method, url }) => method === 'POST' && url.pathname === '/api/ProductInquiry')
    ?.body

beforeEach(() => {
  localStorage.clear()
  signIn()
  answer('post', '/api/Category/GetCustomerCategories', [])
  answer('post', '/api/ProductInquiry', inquiryDetail())
})

test('what was looked for and how many is filled in', () => {
  show('?keyword=定制钢笔&quantity=50')
  expect(screen.getByLabelText(/意向商品/)).toHaveValue('定制钢笔')
  expect(screen.getByLabelText(/数量/)).toHaveValue('50')
})

test('what is missing is said at its field, and nothing is sent', async () => {
  show()
  await userEvent.clear(screen.getByLabelText(/数量/))
  await userEvent.click(screen.getByRole('button', { name: '提交询价' }))
  expect(screen.getByText('请填写意向商品')).toBeVisible()
  expect(screen.getByText('请填写 1 至 999999 的整数')).toBeVisible()
  expect(asked()).toBeUndefined()
})

test('several things are asked for at once, and the inquiry is shown', async () => {
  const page = show('?keyword=钢笔')
  await userEvent.type(screen.getByLabelText(/目标单价/), '8.50')
  await userEvent.click(screen.getByRole('button', { name: '再加一种商品' }))
  await userEvent.type(screen.getAllByLabelText(/意向商品/)[1] as HTMLElement, '笔袋')
  await userEvent.click(screen.getByRole('button', { name: '提交询价' }))
  await waitFor(() => expect(page.location()).toBe('/userCenter/order/productInquiry/XJ1'))
  expect(asked()).toEqual({
    Lines: [
      { Name: '钢笔', Spec: '', Quantity: 1, Unit: '件', TargetPrice: '8.50' },
      { Name: '笔袋', Spec: '', Quantity: 1, Unit: '件', TargetPrice: null },
    ],
    CategoryId: null,
    NeedBy: null,
    Remark: '',
    FileIds: [],
  })
})

test('a draft outlives the page, is joined by a new wish, and ends when it is sent', async () => {
  const first = show()
  await userEvent.type(screen.getByLabelText(/意向商品/), '订书机')
  first.unmount()
  show('?keyword=钢笔')
  expect(
    screen.getAllByLabelText(/意向商品/).map((field) => (field as HTMLInputElement).value),
  ).toEqual(['订书机', '钢笔'])
  await userEvent.click(screen.getByRole('button', { name: '提交询价' }))
  await waitFor(() => expect(localStorage.getItem('inquiryDraft:7')).toBeNull())
})

test('a refusal of the server lands on its field and keeps what was typed', async () => {
  refuse('post', '/api/ProductInquiry', {
    code: 'validation',
    body: { Errors: { 'Lines.0.Unit': ['单位有误'] } },
  })
  show('?keyword=钢笔')
  await userEvent.click(screen.getByRole('button', { name: '提交询价' }))
  expect(await screen.findByText('单位有误')).toBeVisible()
  expect(screen.getByLabelText(/意向商品/)).toHaveValue('钢笔')
})
