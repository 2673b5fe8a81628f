import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, test } from 'vitest'
import type { OrderReviews, OwnReview, ReviewedLine } from '@/domain/reviews/reviews'
import { renderDeskAt } from '@/test/renderDesk'
import { answer, refuse, sent } from '@/test/server'
import { signIn } from '@/test/session'
import { Component } from './index'

const TAGS: OrderReviews['Tags'] = [
  { Code: 'quality', Name: '质量好' },
  { Code: 'fast', Name: '送货快' },
  { Code: 'slow', Name: '送货慢' },
]
const line = (given: Partial<ReviewedLine> = {}): ReviewedLine => ({
  OrderLineId: '31',
  ProductCode: '700001',
  Name: '签字笔',
  ImageUrl: '',
  Brand: '墨岚',
  Unit: '支',
  ReceivedQuantity: 5,
  IsReviewed: false,
  Review: null,
  EditUntil: null,
  FollowUpUntil: null,
  AllowedActions: ['write'],
  ...given,
})
const own = (given: Partial<OwnReview> = {}): OwnReview => ({
  Stars: 4,
  Tags: [{ Code: 'quality', Name: '质量好' }],
  Text: '写着顺',
  Pictures: [],
  Anonymous: false,
  Author: '张采购',
  WrittenAt: '2026-11-20T10:00:00+08:00',
  EditedAt: null,
  FollowUpText: '',
  FollowUpPictures: [],
  FollowedUpAt: null,
  ReplyText: '',
  RepliedAt: null,
  State: 'shown',
  StateText: '已展示',
  HiddenReason: '',
  ...given,
})
const reviewed = (given: Partial<OwnReview> = {}, more: Partial<ReviewedLine> = {}): ReviewedLine =>
  line({
    IsReviewed: true,
    Review: own(given),
    AllowedActions: ['edit', 'follow_up'],
    EditUntil: '2026-12-20T10:00:00+08:00',
    FollowUpUntil: '2027-05-19T10:00:00+08:00',
    ...more,
  })
const ADDRESS = '/api/Order/{OrderNo}/Review'
const show = (...Lines: ReviewedLine[]): void => {
  answer('get', ADDRESS, {
    OrderNo: 'SO1',
    CreatedAt: '2026-11-10T10:00:00+08:00',
    ReviewUntil: '2027-05-19T10:00:00+08:00',
    Lines,
    Tags: TAGS,
  })
  renderDeskAt('/userCenter/order/review/SO1', Component, '/userCenter/order/review/:id')
}
const body = (method: string): unknown =>
  sent.find((one) => one.method === method && one.url.pathname.startsWith('/api/Order/SO1/Review'))
    ?.body

beforeEach(() => signIn())

test('only what has stars is sent, with its tags and words', async () => {
  answer('post', ADDRESS, {
    OrderNo: 'SO1',
    CreatedAt: '2026-11-10T10:00:00+08:00',
    ReviewUntil: null,
    Lines: [],
    Tags: TAGS,
  })
  show(line(), line({ OrderLineId: '32', Name: '复印纸' }))
  const pens = within(await screen.findByRole('article', { name: '墨岚 签字笔' }))
  await userEvent.click(pens.getByRole('radio', { name: /5 星/ }))
  await userEvent.click(pens.getByRole('button', { name: '质量好' }))
  await userEvent.type(pens.getByLabelText('评价内容'), '写着顺')
  await userEvent.click(screen.getByRole('checkbox', { name: '匿名评价' }))
  await userEvent.click(screen.getByRole('button', { name: '发表评价' }))
  await waitFor(() =>
    expect(body('POST')).toEqual({
      Anonymous: true,
      Lines: [{ OrderLineId: '31', Stars: 5, Tags: ['quality'], Text: '写着顺', FileIds: [] }],
    }),
  )
})

test('without stars nothing is sent', async () => {
  show(line())
  await userEvent.click(await screen.findByRole('button', { name: '发表评价' }))
  expect(screen.getByRole('alert')).toHaveTextContent('请给至少一件商品评分')
  expect(body('POST')).toBeUndefined()
})

test('few stars offer what went wrong, and forget the praise', async () => {
  show(line())
  await userEvent.click(await screen.findByRole('radio', { name: /5 星/ }))
  await userEvent.click(screen.getByRole('button', { name: '质量好' }))
  await userEvent.click(screen.getByRole('radio', { name: /1 星/ }))
  expect(screen.queryByRole('button', { name: '质量好' })).toBeNull()
  expect(screen.getByRole('button', { name: '送货慢' })).toHaveAttribute('aria-pressed', 'false')
})

test('a refusal of the server stands beside the button', async () => {
  refuse('post', ADDRESS, {
    code: 'wrong_state',
    message: '“签字笔”已经评价过，可以修改评价或追加评价',
  })
  show(line())
  await userEvent.click(await screen.findByRole('radio', { name: /3 星/ }))
  await userEvent.click(screen.getByRole('button', { name: '发表评价' }))
  expect(await screen.findByRole('alert')).toHaveTextContent('已经评价过')
})

test('a review is changed from what it says', async () => {
  answer('patch', ADDRESS, {
    OrderNo: 'SO1',
    CreatedAt: '2026-11-10T10:00:00+08:00',
    ReviewUntil: null,
    Lines: [],
    Tags: TAGS,
  })
  show(reviewed())
  await userEvent.click(await screen.findByRole('button', { name: '修改评价' }))
  expect(screen.getByLabelText('评价内容')).toHaveValue('写着顺')
  await userEvent.click(screen.getByRole('radio', { name: /3 星/ }))
  await userEvent.click(screen.getByRole('button', { name: '保存修改' }))
  await waitFor(() =>
    expect(body('PATCH')).toEqual({
      OrderLineId: '31',
      Stars: 3,
      Tags: ['quality'],
      Text: '写着顺',
      FileIds: [],
      Anonymous: false,
    }),
  )
})

test('a follow-up wants words', async () => {
  answer('post', `${ADDRESS}/FollowUp`, {
    OrderNo: 'SO1',
    CreatedAt: '2026-11-10T10:00:00+08:00',
    ReviewUntil: null,
    Lines: [],
    Tags: TAGS,
  })
  show(reviewed())
  await userEvent.click(await screen.findByRole('button', { name: '追加评价' }))
  await userEvent.click(screen.getByRole('button', { name: '发表追评' }))
  expect(await screen.findByRole('alert')).toHaveTextContent('请填写追加的评价')
  await userEvent.type(screen.getByLabelText('追加评价'), '用了一个月')
  await userEvent.click(screen.getByRole('button', { name: '发表追评' }))
  await waitFor(() =>
    expect(body('POST')).toEqual({ OrderLineId: '31', Text: '用了一个月', FileIds: [] }),
  )
})

test('a hidden review says why, an answered one shows the answer', async () => {
  show(
    reviewed(
      {
        State: 'hidden',
        HiddenReason: '含联系方式',
        ReplyText: '谢谢',
        RepliedAt: '2026-11-21T10:00:00+08:00',
      },
      { AllowedActions: ['follow_up'] },
    ),
  )
  const found = await screen.findByRole('article', { name: '墨岚 签字笔' })
  for (const text of [
    '该评价不在商品页展示：含联系方式',
    '商家回复',
    '谢谢',
    '2027-05-19 前可追加一次',
  ])
    expect(found).toHaveTextContent(text)
  expect(screen.queryByRole('button', { name: '修改评价' })).toBeNull()
})

test("a colleague's anonymous review is not shown", async () => {
  show(line({ IsReviewed: true, AllowedActions: [] }))
  expect(await screen.findByText(/同事已匿名评价/)).toBeInTheDocument()
})
