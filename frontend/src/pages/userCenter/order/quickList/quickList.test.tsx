import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, test } from 'vitest'
import type { QuickList, QuickListLine, QuickListRow } from '@/domain/cart/quickLists'
import { renderDeskAt } from '@/test/renderDesk'
import { answer, refuse, sent } from '@/test/server'
import { signIn } from '@/test/session'
import { Component as Detail } from './detail'
import { applyEdits } from './draft'
import { Component as List } from './index'

const row = (given: Partial<QuickListRow> = {}): QuickListRow => ({
  Id: '7',
  Name: '前台每月补货',
  Shared: false,
  MemberCount: 1,
  LineCount: 2,
  Owner: '林晓雨',
  OwnerLeft: false,
  UpdatedAt: '2026-11-20T10:00:00+08:00',
  ChangedBy: { Id: '1', Name: '林晓雨' },
  ChangedText: '新建清单',
  Version: 3,
  Mine: true,
  Role: 'owner',
  AllowedActions: ['edit', 'rename', 'share', 'hand_over', 'delete'],
  ...given,
})
const line = (given: Partial<QuickListLine> = {}): QuickListLine => ({
  ProductCode: '110001',
  Quantity: 2,
  Remark: '',
  CustomerProductName: '中性笔',
  CustomerCode: '',
  ImageUrl: '',
  Brand: '墨岚',
  Pack: '',
  Unit: '支',
  MinQuantity: 1,
  StepQuantity: 1,
  Stock: 100,
  CustomerPrice: '9.00',
  Amount: '18.00',
  SavedPrice: '8.50',
  PriceChange: '较加入清单时上涨：¥8.50 → ¥9.00',
  Problem: null,
  ...given,
})
const lamp = line({
  ProductCode: '110002',
  CustomerProductName: '台灯',
  Amount: null,
  CustomerPrice: null,
  PriceChange: '',
  Problem: { Code: 'off_sale', Message: '该商品已下架', Suggestion: '', SuggestedQuantity: null },
})
const detail = (given: Partial<QuickList> = {}): QuickList => ({
  ...row(),
  Amount: '18.00',
  Items: [line(), lamp],
  Members: [{ AccountId: '2', Name: '周启', Department: '行政部', Right: 'view', IsActive: true }],
  ...given,
})
const ONE = '/api/QuickList/{Id}'
const open = (given: Partial<QuickList> = {}): ReturnType<typeof renderDeskAt> => {
  answer('get', ONE, detail(given))
  return renderDeskAt('/userCenter/order/quickList/7', Detail, '/userCenter/order/quickList/:id')
}
const bodyOf = (verb: string, path: string): unknown =>
  sent.findLast(({ method, url }) => method === verb && url.pathname === path)?.body

beforeEach(() => signIn())

test('the list names the owner, the right and the last change; each row has its own actions', async () => {
  const foreign = row({
    Id: '8',
    Name: '会议室用品',
    Mine: false,
    Role: 'view',
    MemberCount: 0,
    AllowedActions: ['leave'],
    ChangedText: '增加 1 种',
  })
  answer('get', '/api/QuickList', { Items: [row(), foreign], Total: 2, PageIndex: 1, PageSize: 20 })
  answer('post', '/api/QuickList/{Id}/Leave', null)
  renderDeskAt('/userCenter/order/quickList', List)

  const shown = (await screen.findByRole('link', { name: '会议室用品' })).closest('tr')
  expect(shown).toHaveTextContent(/会议室用品.*林晓雨.*可查看.*2 种.*林晓雨 增加 1 种/)
  expect(screen.getByRole('link', { name: '前台每月补货' })).toHaveAttribute(
    'href',
    '/userCenter/order/quickList/7',
  )
  expect(within(shown as HTMLElement).queryByText('删除')).toBeNull()
  await userEvent.click(within(shown as HTMLElement).getByText('退出'))
  await userEvent.click(await screen.findByRole('button', { name: /确.?定/ }))
  await waitFor(() => expect(bodyOf('POST', '/api/QuickList/8/Leave')).toBeDefined())
})

test('an empty list says how to save one', async () => {
  answer('get', '/api/QuickList', { Items: [], Total: 0, PageIndex: 1, PageSize: 20 })
  renderDeskAt('/userCenter/order/quickList', List)
  expect(await screen.findByText(/在购物车勾选商品后点“保存为清单”/)).toBeVisible()
})

test('a person with 仅浏览 is sent neither to the cart nor to quick order', async () => {
  signIn({ Purchasing: 'browse' })
  answer('get', '/api/QuickList', { Items: [], Total: 0, PageIndex: 1, PageSize: 20 })
  renderDeskAt('/userCenter/order/quickList', List)
  expect(await screen.findByText(/您的角色仅可浏览商品/)).toBeVisible()
  expect(screen.queryByRole('link', { name: '去购物车保存' })).toBeNull()
  expect(screen.queryByRole('link', { name: '快速下单' })).toBeNull()
})

test('a line shows what has changed since it was saved, and why it cannot be bought', async () => {
  open()
  expect(await screen.findByText('较加入清单时上涨：¥8.50 → ¥9.00')).toBeVisible()
  expect(screen.getByText('该商品已下架')).toBeVisible()
  expect(screen.getByText(/共享给 周启（查看）/)).toBeVisible()
})

test('edits are saved together, with the version that was seen', async () => {
  open()
  answer('patch', ONE, detail())
  await userEvent.type(await screen.findByLabelText('墨岚 中性笔 的备注'), '前台')
  await userEvent.click(screen.getByRole('button', { name: '移除 墨岚 台灯' }))
  expect(screen.getByRole('button', { name: '全部 2 种加入购物车' })).toBeDisabled()
  await userEvent.click(screen.getByRole('button', { name: '保存修改' }))
  await waitFor(() =>
    expect(bodyOf('PATCH', '/api/QuickList/7')).toEqual({
      Version: 3,
      Items: [{ ProductCode: '110001', Quantity: 2, Remark: '前台' }],
    }),
  )
  expect(await screen.findByText('墨岚 台灯')).toBeVisible()
})

test('a change by somebody else is named, and the own edits wait for a look', async () => {
  open()
  await userEvent.type(await screen.findByLabelText('墨岚 中性笔 的备注'), '前台')
  const changed = { Version: 4, ChangedBy: { Id: '2', Name: '周启' }, ChangedText: '修改 1 种' }
  refuse('patch', ONE, { code: 'stale', message: '内容已被他人修改' })
  answer('get', ONE, detail({ ...changed, Items: [line({ Quantity: 5 }), lamp] }))
  await userEvent.click(screen.getByRole('button', { name: '保存修改' }))

  expect(await screen.findByText(/周启刚刚修改了此清单（修改 1 种）/)).toBeVisible()
  expect(screen.getByRole('button', { name: '保存修改' })).toBeDisabled()
  await userEvent.click(screen.getByRole('button', { name: '已核对' }))
  answer('patch', ONE, detail())
  await userEvent.click(screen.getByRole('button', { name: '保存修改' }))
  await waitFor(() =>
    expect(bodyOf('PATCH', '/api/QuickList/7')).toMatchObject({
      Version: 4,
      Items: [
        { ProductCode: '110001', Quantity: 5, Remark: '前台' },
        { ProductCode: '110002', Quantity: 2 },
      ],
    }),
  )
})

test('the chosen lines go into the cart, and the report names what was left out', async () => {
  open()
  answer('post', '/api/QuickList/{Id}/AddToCart', {
    Added: 1,
    LeftOut: [
      {
        ProductCode: '110002',
        CustomerProductName: '台灯',
        Brand: '墨岚',
        Message: '该商品已下架',
      },
    ],
    Changed: [
      { ProductCode: '110001', CustomerProductName: '中性笔', Brand: '墨岚', Message: '单价上涨' },
    ],
  })
  await userEvent.click(await screen.findByRole('checkbox', { name: '选择 墨岚 中性笔' }))
  await userEvent.click(screen.getByRole('button', { name: '所选 1 种加入购物车' }))
  const report = await screen.findByRole('status', { name: '加入购物车的结果' })
  expect(report).toHaveTextContent('已加入 1 种商品')
  expect(report).toHaveTextContent('未加入：墨岚 台灯，该商品已下架')
  expect(report).toHaveTextContent('墨岚 中性笔：单价上涨')
  expect(bodyOf('POST', '/api/QuickList/7/AddToCart')).toEqual({ ProductCodes: ['110001'] })
})

test('a person with 查看 edits nothing and shares nothing', async () => {
  open({ Mine: false, Role: 'view', AllowedActions: ['leave'] })
  expect(await screen.findByRole('button', { name: '复制' })).toBeVisible()
  expect(screen.queryByLabelText('墨岚 中性笔 的备注')).toBeNull()
  expect(screen.queryByRole('button', { name: '共享' })).toBeNull()
  expect(screen.queryByRole('button', { name: '删除' })).toBeNull()
})

test('sharing sends all people with the right of each', async () => {
  open()
  answer('get', '/api/QuickList/Colleagues', [
    { Id: '2', Name: '周启', Department: '行政部' },
    { Id: '3', Name: '周敏', Department: '财务部' },
  ])
  answer('put', '/api/QuickList/{Id}/Members', detail())
  await userEvent.click(await screen.findByRole('button', { name: '共享' }))
  await userEvent.type(screen.getByLabelText('添加同事'), '周')
  await userEvent.click(await screen.findByRole('button', { name: '添加 周敏' }))
  expect(screen.queryByRole('button', { name: '添加 周启' })).toBeNull()
  await userEvent.selectOptions(screen.getByLabelText('周敏 的权限'), '编辑')
  await userEvent.click(screen.getByRole('button', { name: '保存' }))
  await waitFor(() =>
    expect(bodyOf('PUT', '/api/QuickList/7/Members')).toEqual({
      Members: [
        { AccountId: '2', Right: 'view' },
        { AccountId: '3', Right: 'edit' },
      ],
    }),
  )
})

const longList = Array.from({ length: 1000 }, (_, index) =>
  line({ ProductCode: `${200_001 + index}`, CustomerProductName: `商品${index + 1}` }),
)

test('a list of 1,000 lines shows 50 at a time, and a choice on another page stays', async () => {
  open({ Items: longList, LineCount: 1000 })
  expect(await screen.findByText('共 1,000 条')).toBeVisible()
  expect(screen.getAllByLabelText(/^选择 墨岚 商品/)).toHaveLength(50)
  fireEvent.click(screen.getByLabelText('选择 墨岚 商品1'))
  fireEvent.click(screen.getByTitle('2'))
  fireEvent.click(screen.getByLabelText('选择 墨岚 商品51'))
  expect(screen.getByText('所选 2 种加入购物车')).toBeEnabled()

  fireEvent.change(screen.getByLabelText('在清单中查找'), { target: { value: '200999' } })
  expect(screen.getAllByLabelText(/^选择 墨岚 商品/)).toHaveLength(1)
  expect(screen.getByText('墨岚 商品999')).toBeVisible()
})

test('leaving with unsaved edits asks, and the edits stay if the person stays', async () => {
  const { location } = open()
  await userEvent.type(await screen.findByLabelText('墨岚 中性笔 的备注'), '前台')
  await userEvent.click(screen.getByRole('link', { name: '墨岚 中性笔' }))
  const question = await screen.findByRole('dialog', { name: '修改还没有保存' })
  await userEvent.click(within(question).getByRole('button', { name: '留在此页' }))
  expect(screen.getByLabelText('墨岚 中性笔 的备注')).toHaveValue('前台')

  await userEvent.click(screen.getByRole('link', { name: '墨岚 中性笔' }))
  await userEvent.click(await screen.findByRole('button', { name: '不保存，离开' }))
  await waitFor(() => expect(location()).toBe('/110001.html'))
})

test('leaving without edits does not ask', async () => {
  const { location } = open()
  await userEvent.click(await screen.findByRole('link', { name: '墨岚 中性笔' }))
  await waitFor(() => expect(location()).toBe('/110001.html'))
})

test('an edit of a line that somebody else removed does not bring it back', () => {
  const edits = { '110001': { Quantity: 9 }, '110002': { Quantity: 4 } }
  expect(applyEdits([line()], edits).map(({ Quantity }) => Quantity)).toEqual([9])
})

test('after a list is deleted, its page is left and is not asked for again', async () => {
  const { location } = open()
  answer('delete', ONE, null)
  await userEvent.click(await screen.findByRole('button', { name: '删除' }))
  const question = await screen.findByRole('tooltip')
  await userEvent.click(within(question).getByRole('button', { name: /删.?除/ }))
  await waitFor(() => expect(location()).toBe('/userCenter/order/quickList'))
  expect(sent.filter(({ method }) => method === 'GET')).toHaveLength(1)
})
