import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { http, HttpResponse } from 'msw'
import { beforeEach, expect, test } from 'vitest'
import { renderAt } from '@/test/render'
import { answer, refuse, sent, server } from '@/test/server'
import { signIn } from '@/test/session'
import { Component } from '.'

const LIST = '/api/Assistant/Conversation'
const card = {
  ProductCode: '600001',
  ImageUrl: '',
  CustomerProductName: '签字笔',
  CustomerPrice: '10.00',
  MallPrice: '12.00',
  Brand: '墨岚',
  Unit: '支',
  MinQuantity: 1,
  StepQuantity: 1,
  Stock: 100,
  LeadDays: 1,
  IsOnSale: true,
}

/** Makes the server stream these events to the next question. */
function streams(...events: [string, unknown][]): void {
  const body = events
    .map(([name, data]) => `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`)
    .join('')
  server.use(
    http.post(
      `${LIST}/7/Message`,
      () => new HttpResponse(body, { headers: { 'Content-Type': 'text/event-stream' } }),
    ),
  )
}

async function ask(text: string): Promise<void> {
  await userEvent.type(await screen.findByRole('textbox', { name: '输入问题' }), `${text}{Enter}`)
}

beforeEach(() => {
  signIn()
  answer('get', LIST, { Items: [], Total: 0, PageIndex: 1, PageSize: 50 })
  answer('post', LIST, { Id: '7', Title: '新对话' })
  answer('get', `${LIST}/7`, {
    Id: '7',
    Title: '问题',
    LastAt: '2026-01-01T00:00:00+08:00',
    Messages: [],
  })
})

test('an answer comes with its words, products and links', async () => {
  renderAt('/deepseek', Component)
  streams(
    ['start', { MessageId: '2' }],
    ['cards', { Items: [card] }],
    ['text', { Text: '找到 **一款**' }],
    ['links', { Items: [{ Title: '帮助', Path: '/help/detail/1' }] }],
    ['done', {}],
  )
  await ask('找签字笔')

  const given = await screen.findByRole('article', { name: '助手的回答' })
  expect(await within(given).findByText('一款')).toBeVisible()
  expect(await within(given).findByRole('link', { name: '墨岚 签字笔' })).toHaveAttribute(
    'href',
    '/600001.html',
  )
  expect(within(given).getByRole('link', { name: '帮助' })).toHaveAttribute(
    'href',
    '/help/detail/1',
  )
})

test('what is proposed goes into the cart by the click alone, without what was left out', async () => {
  renderAt('/deepseek', Component)
  const other = { ...card, ProductCode: '600002', CustomerProductName: '复印纸' }
  streams(
    ['start', { MessageId: '2' }],
    [
      'consent',
      {
        Id: 'p1',
        Status: 'open',
        Lines: [
          { Product: card, Quantity: 3 },
          { Product: other, Quantity: 1 },
        ],
      },
    ],
    ['done', {}],
  )
  answer('post', '/api/Assistant/Proposal/{ProposalId}/Accept', 1)
  await ask('列清单')
  await userEvent.click(await screen.findByRole('checkbox', { name: '墨岚 复印纸' }))
  await userEvent.click(screen.getByRole('button', { name: '加入购物车' }))

  expect(await screen.findByText('已加入购物车')).toBeVisible()
  expect(
    sent.filter(({ url }) => url.pathname.endsWith('/Accept')).map(({ body }) => body),
  ).toEqual([{ Items: [{ ProductCode: '600001', Quantity: 3 }] }])
})

test('a question that is too long stays as it is, with what is allowed, and is not asked', async () => {
  renderAt('/deepseek', Component)
  const field = await screen.findByRole('textbox', { name: '输入问题' })
  await userEvent.click(field)
  await userEvent.paste('字'.repeat(10_000))
  await userEvent.keyboard('{Enter}')
  expect(field).toHaveValue('字'.repeat(10_000))
  expect(screen.getByRole('alert')).toHaveTextContent('最多 2000 个字，已输入 10000 个')
  expect(screen.getByRole('button', { name: '发送' })).toBeDisabled()
  expect(sent.filter(({ method }) => method === 'POST')).toEqual([])
})

test('a question that is refused comes back into the field with the reason', async () => {
  renderAt('/deepseek', Component)
  refuse('post', `${LIST}/7/Message`, { code: 'too_soon', message: '提问过于频繁，请稍后再试' })
  await ask('你好')

  expect(await screen.findByRole('alert')).toHaveTextContent('提问过于频繁，请稍后再试')
  await waitFor(() => expect(screen.getByRole('textbox', { name: '输入问题' })).toHaveValue('你好'))
})

test('an answer that breaks off says so and can be given again', async () => {
  renderAt('/deepseek', Component)
  streams(['start', { MessageId: '2' }], ['text', { Text: '第一句' }])
  await ask('你好')

  expect(await screen.findByText('回答中断了，请重试')).toBeVisible()
  expect(screen.getByRole('button', { name: '重新回答' })).toBeEnabled()
})

test('Shift and Enter begin a new line', async () => {
  renderAt('/deepseek', Component)
  const field = await screen.findByRole('textbox', { name: '输入问题' })
  await userEvent.type(field, '一{Shift>}{Enter}{/Shift}二')

  expect(field).toHaveValue('一\n二')
})

test('staff who act as the customer read and do not ask', async () => {
  signIn({ Acting: { By: '王客服', Reason: '核对', Seconds: 600 } })
  renderAt('/deepseek', Component)

  expect(await screen.findByText('代客户登录期间只能查看对话，不能提问')).toBeVisible()
  expect(screen.queryByRole('textbox', { name: '输入问题' })).toBeNull()
})
