import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import type { QuotationDetail } from '@/domain/quotations/quotations'
import { renderAt } from '@/test/render'
import { answer, refuse, sent } from '@/test/server'
import { signIn } from '@/test/session'
import { Component as Detail } from './detail'
import { Component as List } from '.'

const line = (given: Partial<QuotationDetail['Lines'][number]> = {}) => ({
  Id: '1',
  ProductCode: '110003',
  CustomerCode: 'XL001',
  Name: '集采中性笔',
  Brand: '笺禾',
  Pack: '12支/盒',
  Unit: '盒',
  Quantity: 2,
  QuotedPrice: '10.00',
  Amount: '20.00',
  CurrentPrice: '12.00',
  OrderPrice: '10.00',
  ProblemText: '',
  ...given,
})
const quotation = (given: Partial<QuotationDetail> = {}): QuotationDetail => ({
  QuotationNo: 'BJ1',
  Status: 'valid',
  StatusText: '有效',
  CreatedAt: '2026-11-26T10:00:00+08:00',
  ValidTo: '2026-12-11',
  Requester: { Id: '1', Name: '林晓雨' },
  GoodsAmount: '20.00',
  LineCount: 1,
  Remark: '',
  OrderNo: '',
  AllowedActions: ['order', 'void'],
  Enterprise: '云帆科技',
  VoidReason: '',
  OrderAmount: '20.00',
  Lines: [line()],
  Timeline: [],
  ...given,
})
const show = (given: Partial<QuotationDetail> = {}): void => {
  answer('get', '/api/Quotation/BJ1', quotation(given))
  renderAt('/userCenter/order/quotation/BJ1', Detail, '/userCenter/order/quotation/:no')
}

test('a line says whether the quoted or the present price counts', async () => {
  show({
    Lines: [
      line(),
      line({ Id: '2', CurrentPrice: '9.00', OrderPrice: '9.00' }),
      line({ Id: '3', ProblemText: '库存不足，请减少数量' }),
    ],
  })
  expect(await screen.findByText('现价 ¥12.00，按报价')).toBeVisible()
  expect(screen.getByText('现价 ¥9.00，按现价')).toBeVisible()
  expect(screen.getByText('库存不足，请减少数量')).toBeVisible()
  expect(screen.getByRole('link', { name: '按报价单下单' })).toHaveAttribute(
    'href',
    '/shop/submit?Quotation=BJ1',
  )
})

test('an ordered quotation offers no act and leads to its order', async () => {
  show({ Status: 'ordered', StatusText: '已下单', OrderNo: 'SO1', AllowedActions: [] })
  expect(await screen.findByRole('link', { name: '订单 SO1' })).toBeVisible()
  expect(screen.queryByRole('link', { name: '按报价单下单' })).toBeNull()
  expect(screen.queryByRole('button', { name: '作废' })).toBeNull()
})

test('a quotation is voided after a confirmation', async () => {
  show()
  answer('post', '/api/Quotation/BJ1/Void', quotation({ Status: 'voided' }))
  const person = userEvent.setup()
  await person.click(await screen.findByRole('button', { name: '作废' }))
  await person.click(await screen.findByRole('button', { name: '确认作废' }))
  const posts = (): string[] =>
    sent.filter(({ method }) => method === 'POST').map(({ url }) => url.pathname)
  await waitFor(() => expect(posts()).toEqual(['/api/Quotation/BJ1/Void']))
})

test('a quotation of another enterprise says so and leads back', async () => {
  refuse('get', '/api/Quotation/BJ1', {
    code: 'not_found',
    message: '报价单不存在，或您无权查看',
    status: 404,
  })
  renderAt('/userCenter/order/quotation/BJ1', Detail, '/userCenter/order/quotation/:no')
  expect(await screen.findByText('报价单不存在，或您无权查看')).toBeVisible()
  expect(screen.getByRole('link', { name: '返回报价单' })).toBeVisible()
})

test('an empty list says how to make one', async () => {
  answer('get', '/api/Quotation', { Items: [], Total: 0, PageIndex: 1, PageSize: 20 })
  renderAt('/userCenter/order/quotation', List)
  expect(await screen.findByText(/在购物车勾选商品后点“生成报价单”/)).toBeVisible()
})

test('a person with 仅浏览 is not sent to the cart', async () => {
  signIn({ Purchasing: 'browse' })
  answer('get', '/api/Quotation', { Items: [], Total: 0, PageIndex: 1, PageSize: 20 })
  renderAt('/userCenter/order/quotation', List)
  expect(await screen.findByText('您的角色仅可浏览商品，不能生成报价单')).toBeVisible()
  expect(screen.queryByRole('link', { name: '去购物车生成' })).toBeNull()
})
