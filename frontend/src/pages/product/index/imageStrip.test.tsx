import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { ApiError } from '@/api/errors'
import { renderAt } from '@/test/render'
import ImageStrip from './ImageStrip'

const head = {
  Picture: 'data:image/webp;base64,',
  Total: 3,
  Categories: [
    { CategoryId: '34', Name: '中性笔', Share: 0.8 },
    { CategoryId: '35', Name: '圆珠笔', Share: 0.2 },
  ],
}

test('the guessed category is marked and can be changed', async () => {
  const chosen: unknown[] = []
  renderAt('/', () => (
    <ImageStrip
      head={head}
      total={2}
      error={null}
      chosen="34"
      onChange={(change) => chosen.push(change)}
    />
  ))
  expect(screen.getByText(/件相似商品/)).toHaveTextContent(
    '找到 2 件相似商品，按相似度排列（不限条件共 3 件）',
  )
  expect(screen.getByRole('button', { name: '中性笔' })).toHaveAttribute('aria-pressed', 'true')
  await userEvent.click(screen.getByRole('button', { name: '圆珠笔' }))
  await userEvent.click(screen.getByRole('button', { name: '不限类目' }))
  expect(chosen).toEqual([
    { Cid: '35', Attr: [] },
    { Cid: undefined, Attr: [] },
  ])
})

test('a result that is gone asks for the picture again', async () => {
  renderAt('/', () => (
    <ImageStrip
      head={undefined}
      total={undefined}
      error={new ApiError('', 'image_key_expired', 200)}
      chosen={undefined}
      onChange={() => undefined}
    />
  ))
  await userEvent.click(screen.getByRole('button', { name: '重新上传图片' }))
  expect(await screen.findByRole('dialog', { name: '以图搜索' })).toBeInTheDocument()
})
