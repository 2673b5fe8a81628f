import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, test } from 'vitest'
import type { Kind, KindChoices } from '@/domain/dimensions/dimensions'
import { addressRow, cartLine, cartOf, pageOf, previewLine, previewOf } from '@/test/fixtures'
import { renderAt } from '@/test/render'
import { answer, sent } from '@/test/server'
import { signIn } from '@/test/session'
import AllocationDialog from './AllocationDialog'
import { hundredths, liveAllocations, getPart } from './allocations'
import { Component } from '.'

const row = (n: number) => ({ Id: String(n), Code: `CC-${n}`, Name: `${n}部` })
const CHOICES = [
  {
    Kind: 'cost_center',
    KindText: '成本中心',
    IsKept: true,
    Default: row(3),
    Items: [1, 2, 3].map(row),
  },
  { Kind: 'project', KindText: '项目', IsKept: false, Default: null, Items: [] },
  { Kind: 'subject', KindText: '会计科目', IsKept: false, Default: null, Items: [] },
]
const last = () =>
  sent.filter(({ url }) => url.pathname === '/api/Order/Preview').at(-1)?.body as {
    Allocations?: unknown
  }

beforeEach(() => {
  signIn()
  answer('post', '/api/Order/Preview', previewOf())
  answer('get', '/api/Address', pageOf(addressRow()))
  answer('get', '/api/ShoppingCart', cartOf(cartLine()))
  answer('get', '/api/Dimension/Choices', CHOICES)
})

test('shares are read exactly, and a part is rounded down', () => {
  expect([hundredths('33.33'), hundredths('5'), hundredths('1e3'), hundredths('')]).toEqual([
    3333,
    500,
    Number.NaN,
    Number.NaN,
  ])
  expect(getPart(1001, 3333)).toBe(333)
})

test('the choice of a line that has left the checkout is dropped', () => {
  const own = { Kind: 'cost_center', CartItemId: '9', Parts: [{ DimensionId: '1' }] } as const
  const whole = { ...own, CartItemId: null }
  const form = { Allocations: [whole, own].map((one) => ({ ...one, Parts: [...one.Parts] })) }
  expect(liveAllocations(form, previewOf({ Lines: [previewLine()] }))).toEqual([
    { ...whole, Parts: [{ DimensionId: '1' }] },
  ])
})

test('a chosen cost centre is part of the preview, and the default is named', async () => {
  renderAt('/shop/submit', Component)
  const select = await screen.findByRole('combobox', { name: '成本中心' })
  expect(within(select).getByRole('option', { name: 'CC-3 3部（部门默认）' })).toBeVisible()
  await userEvent.selectOptions(select, 'CC-1 1部')
  await waitFor(() =>
    expect(last().Allocations).toEqual([
      { Kind: 'cost_center', CartItemId: null, Parts: [{ DimensionId: '1' }] },
    ]),
  )
})

test('a split is saved only when its shares sum to 100', async () => {
  renderAt('/shop/submit', Component)
  await userEvent.click(await screen.findByRole('button', { name: '分摊成本中心' }))
  const dialog = await screen.findByRole('dialog', { name: '整单分摊成本中心' })
  const field = (name: string) => within(dialog).getByLabelText(name)
  await userEvent.selectOptions(field('第 1 项成本中心'), '1')
  await userEvent.selectOptions(field('第 2 项成本中心'), '2')
  await userEvent.type(field('第 1 项的比例'), '60')
  await userEvent.type(field('第 2 项的比例'), '30')
  expect(within(dialog).getByRole('status')).toHaveTextContent('还有 10.00%未分摊')
  expect(within(dialog).getByRole('button', { name: '确定' })).toBeDisabled()
  await userEvent.clear(field('第 2 项的比例'))
  await userEvent.type(field('第 2 项的比例'), '40')
  await userEvent.click(within(dialog).getByRole('button', { name: '确定' }))
  await waitFor(() =>
    expect(last().Allocations).toEqual([
      {
        Kind: 'cost_center',
        CartItemId: null,
        Parts: [
          { DimensionId: '1', Percent: '60.00' },
          { DimensionId: '2', Percent: '40.00' },
        ],
      },
    ]),
  )
  expect(await screen.findByText('CC-1 1部 60.00%、CC-2 2部 40.00%')).toBeVisible()
})

test('each kind shows the way in which it was split', async () => {
  const choices = (Kind: Kind, KindText: string): KindChoices => ({
    Kind,
    KindText,
    IsKept: true,
    Default: null,
    Items: [1, 2].map(row),
  })
  const split = (Kind: Kind, share: 'Amount' | 'Percent') => ({
    Kind,
    CartItemId: '9',
    Parts: ['1', '2'].map((DimensionId) => ({ DimensionId, [share]: '50.00' })),
  })
  renderAt('/shop/submit', () => (
    <AllocationDialog
      title="分摊 中性笔"
      kinds={[choices('cost_center', '成本中心'), choices('project', '项目')]}
      amount="100.00"
      form={{ Allocations: [split('cost_center', 'Amount'), split('project', 'Percent')] }}
      item="9"
      onClose={() => {}}
      onSave={() => {}}
    />
  ))
  const dialog = await screen.findByRole('dialog', { name: '分摊 中性笔' })
  expect(within(dialog).getByLabelText('第 1 项的金额')).toHaveValue('50.00')
  await userEvent.selectOptions(within(dialog).getByLabelText('类别'), '项目')
  expect(within(dialog).getByLabelText('第 1 项的比例')).toHaveValue('50.00')
  expect(within(dialog).getByRole('status')).toHaveTextContent('已全部分摊')
})
