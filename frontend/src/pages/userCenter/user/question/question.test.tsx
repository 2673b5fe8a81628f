import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import type { OwnQuestion } from '@/domain/questions/questions'
import { renderAt } from '@/test/render'
import { answer, sent } from '@/test/server'
import { Component } from '.'

const question = (given: Partial<OwnQuestion> = {}): OwnQuestion => ({
  Id: '7',
  ProductCode: '110003',
  ProductName: '集采中性笔',
  ImageUrl: '',
  Question: '笔芯可以换吗？',
  AskedAt: '2026-11-20T10:00:00+08:00',
  Answer: '可以',
  AnsweredAt: '2026-11-21T10:00:00+08:00',
  State: 'answered',
  StateText: '已回答',
  IsPublic: false,
  HiddenReason: '',
  AllowedActions: ['retract'],
  ...given,
})
const show = (...Items: OwnQuestion[]): void => {
  answer('get', '/api/ProductQuestion', { Items, Total: Items.length, PageIndex: 1, PageSize: 20 })
  renderAt('/userCenter/user/question', Component)
}

test('an own question is shown with its answer and is retracted after a confirmation', async () => {
  show(question())
  answer('post', '/api/ProductQuestion/7/Retract', question({ State: 'retracted' }))
  expect(await screen.findByText('可以')).toBeVisible()
  expect(sent[0]?.url.searchParams.get('PageSize')).toBe('10')
  expect(screen.getByText('仅本集团可见')).toBeVisible()
  const person = userEvent.setup()
  await person.click(screen.getByRole('button', { name: '撤回' }))
  expect(sent.some(({ method }) => method === 'POST')).toBe(false)
  await person.click(await screen.findByRole('button', { name: '确认撤回' }))
  const posts = (): string[] =>
    sent.filter(({ method }) => method === 'POST').map(({ url }) => url.pathname)
  await waitFor(() => expect(posts()).toEqual(['/api/ProductQuestion/7/Retract']))
})

test('without questions the page says where to ask', async () => {
  show()
  expect(await screen.findByText('在商品详情页的“商品问答”中提问')).toBeVisible()
})
