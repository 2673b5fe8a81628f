import { act, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { renderAt } from '@/test/render'
import { Toasts } from '@/ui/Toasts'
import { compare } from './compare'
import CompareTray from './CompareTray'

const Page = () => (
  <>
    <CompareTray />
    <Toasts />
  </>
)

test('that there are too many is no longer said once one has gone', async () => {
  renderAt('/product/index', Page)
  for (const ProductCode of ['1', '2', '3', '4', '5'])
    act(() =>
      compare.toggle({ ProductCode, CustomerProductName: `笔 ${ProductCode}`, Brand: '卓砚' }),
    )
  expect(await screen.findByText('最多对比 4 件商品，请先移除一件')).toBeInTheDocument()
  await userEvent.click(screen.getByRole('button', { name: '移除卓砚 笔 4' }))
  expect(screen.queryByText('最多对比 4 件商品，请先移除一件')).toBeNull()
})

test("it stands over lists and products, and over no other page's own bar", () => {
  act(() => compare.toggle({ ProductCode: '1', CustomerProductName: '笔 1', Brand: '卓砚' }))
  for (const path of ['/product/index', '/110001.html']) {
    const { unmount } = renderAt(path, Page)
    expect(screen.getByRole('region', { name: '对比栏' })).toBeInTheDocument()
    unmount()
  }
  for (const path of [
    '/product/QuickOrder',
    '/product/select',
    '/shop/cart',
    '/deepseek',
    '/product/compare',
  ]) {
    const { unmount } = renderAt(path, Page)
    expect(screen.queryByRole('region', { name: '对比栏' })).toBeNull()
    unmount()
  }
})
