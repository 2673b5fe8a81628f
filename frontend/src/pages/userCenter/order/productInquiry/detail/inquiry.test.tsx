import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, test } from 'vitest'
import { inquiryDetail, inquiryLine, quotedInquiry, quotedLine } from '@/test/fixtures'
import { renderDeskAt } from '@/test/renderDesk'
import { answer, refuse, sent } from '@/test/server'
import { signIn } from '@/test/session'
import { Component } from '.'

const AT = '/api/ProductInquiry/{InquiryNo}' as const
const show = (): ReturnType<typeof renderDeskAt> =>
  renderDeskAt(
    '/userCenter/order/productInquiry/XJ1',
    Component,
    '/userCenter/order/productInquiry/:no',
  )
const posted = (verb: string): unknown =>
  sent.findLast(({ method, url }) => method === 'POST' && url.pathname.endsWith(`/XJ1/${verb}`))
    ?.body

beforeEach(() => {
  signIn()
  answer('get', AT, quotedInquiry())
})

test('the quote stands beside target and market, in a legal quantity', async () => {
  show()
  const row = within(await screen.findByRole('region', { name: '商品与报价' })).getByRole('row', {
    name: /定制钢笔/,
  })
  for (const text of ['¥8.00', '¥7.50', '¥12.00', '达到目标价']) expect(row).toHaveTextContent(text)
  expect(screen.getByLabelText('定制钢笔 采购数量', { selector: 'input' })).toHaveValue('12')
  expect(screen.getByText(/合计/)).toHaveTextContent('已选 1 项，合计 ¥90.00')
})

test('what is adopted goes into the cart', async () => {
  answer('post', `${AT}/Adopt`, { Added: 1, LeftOut: [] })
  const page = show()
  await userEvent.click(await screen.findByRole('button', { name: '采纳并加入购物车' }))
  await waitFor(() => expect(page.location()).toBe('/shop/cart'))
  expect(posted('Adopt')).toEqual({ Lines: [{ Id: 31, Quantity: 12 }] })
})

test('a line that is not wanted is left out, and without any nothing can be adopted', async () => {
  answer(
    'get',
    AT,
    quotedInquiry({
      Lines: [quotedLine(), inquiryLine({ Id: '32', Name: '笔袋', Note: '已停产' })],
    }),
  )
  show()
  await userEvent.click(await screen.findByRole('checkbox', { name: '定制钢笔' }))
  expect(screen.getByRole('button', { name: '采纳并加入购物车' })).toBeDisabled()
  expect(screen.getByText('已停产')).toBeVisible()
})

test('what could not be put into the cart is told', async () => {
  answer('post', `${AT}/Adopt`, {
    Added: 1,
    LeftOut: [{ ProductCode: '700001', Name: '签字笔', Message: '库存不足' }],
  })
  show()
  await userEvent.click(await screen.findByRole('button', { name: '采纳并加入购物车' }))
  expect(await screen.findByRole('dialog', { name: '部分商品未能加入购物车' })).toHaveTextContent(
    '库存不足',
  )
})

test('another quote is asked for with a reason', async () => {
  answer('post', `${AT}/AskAgain`, inquiryDetail())
  show()
  await userEvent.click(await screen.findByRole('button', { name: '重新询价' }))
  await userEvent.click(screen.getByRole('button', { name: '提交' }))
  expect(screen.getByText('请填写希望如何调整')).toBeVisible()
  await userEvent.type(screen.getByLabelText(/希望如何调整/), '再低一点')
  await userEvent.click(screen.getByRole('button', { name: '提交' }))
  await waitFor(() => expect(posted('AskAgain')).toEqual({ Note: '再低一点' }))
})

test('one that waits is withdrawn after a question', async () => {
  answer('get', AT, inquiryDetail())
  answer('post', `${AT}/Close`, inquiryDetail({ Status: 'closed' }))
  show()
  await userEvent.click(await screen.findByRole('button', { name: '撤回询价' }))
  await userEvent.type(screen.getByLabelText(/关闭原因/), '不买了')
  await userEvent.click(screen.getByRole('button', { name: '确认关闭' }))
  await waitFor(() => expect(posted('Close')).toEqual({ Reason: '不买了' }))
})

test('messages of both sides are shown, new ones are marked as read, and one can be sent', async () => {
  answer(
    'get',
    AT,
    quotedInquiry({
      Unread: 1,
      Messages: [
        {
          Id: '1',
          Ours: true,
          By: '平台客服',
          ActingFor: null,
          Text: '可以开专票',
          At: '2026-11-21T10:00:00+08:00',
        },
      ],
    }),
  )
  answer('post', `${AT}/Read`, true)
  answer('post', `${AT}/Message`, quotedInquiry())
  show()
  const talk = await screen.findByRole('region', { name: '与客服沟通' })
  expect(talk).toHaveTextContent('可以开专票')
  await waitFor(() => expect(sent.some(({ url }) => url.pathname.endsWith('/Read'))).toBe(true))
  await userEvent.type(within(talk).getByLabelText('给客服留言'), '谢谢')
  await userEvent.click(within(talk).getByRole('button', { name: '发送' }))
  await waitFor(() => expect(posted('Message')).toEqual({ Text: '谢谢' }))
})

test('a colleague looks on', async () => {
  answer('get', AT, quotedInquiry({ AllowedActions: [] }))
  show()
  await screen.findByRole('region', { name: '商品与报价' })
  for (const name of ['采纳并加入购物车', '重新询价', '关闭询价', '发送'])
    expect(screen.queryByRole('button', { name })).toBeNull()
})

test('one that is not there says so and leads back', async () => {
  refuse('get', AT, { code: 'not_found', status: 404, message: '询价单不存在，或您无权查看' })
  show()
  expect(await screen.findByText('询价单不存在，或您无权查看')).toBeVisible()
  expect(screen.getByRole('link', { name: '返回询价列表' })).toHaveAttribute(
    'href',
    '/userCenter/order/productInquiry',
  )
})
