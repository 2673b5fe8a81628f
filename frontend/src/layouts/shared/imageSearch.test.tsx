import { fireEvent, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, test, vi } from 'vitest'
import { plugShell } from '@/api/shell'
import { renderAt } from '@/test/render'
import { answer, refuse, sent } from '@/test/server'
import { Toasts } from '@/ui/Toasts'
import { SearchBox } from './SearchBox'

const PATH = '/api/Product/ImageSearch'
const found = {
  Items: [],
  Total: 3,
  ImageKey: 'k1',
  CategoryId: '34',
  Categories: [{ CategoryId: '34', Name: '中性笔', Share: 0.8 }],
}
const picture = (name = 'a.png', size = 20): File =>
  new File([new Uint8Array(size)], name, { type: 'image/png' })
const Page = () => (
  <>
    <SearchBox />
    <Toasts />
  </>
)

// jsdom does not load pictures.
beforeEach(
  () =>
    void vi.stubGlobal(
      'URL',
      Object.assign(URL, { createObjectURL: () => 'blob:a', revokeObjectURL: () => undefined }),
    ),
)

async function open() {
  const page = renderAt('/', Page)
  await userEvent.click(screen.getByRole('button', { name: '以图搜索' }))
  await screen.findByRole('dialog', { name: '以图搜索' })
  return page
}
const choose = (...files: File[]): void =>
  void fireEvent.change(screen.getByLabelText('选择要查找的图片'), { target: { files } })

test('a chosen picture leads to its list, narrowed to the category where the server is sure', async () => {
  answer('post', PATH, found)
  const page = await open()
  choose(picture())
  await waitFor(() => expect(page.location()).toBe('/product/index?ImageKey=k1&Cid=34'))
  expect(screen.queryByRole('dialog')).toBeNull()
})

test('a pasted picture is searched for, wherever the focus is', async () => {
  answer('post', PATH, { ...found, CategoryId: null })
  const page = await open()
  fireEvent.paste(document.body, { clipboardData: { files: [picture()] } })
  await waitFor(() => expect(page.location()).toBe('/product/index?ImageKey=k1'))
})

test('a picture pasted into the search box opens the search by it', async () => {
  answer('post', PATH, found)
  const page = renderAt('/', Page)
  fireEvent.paste(screen.getByRole('combobox', { name: '搜索商品' }), {
    clipboardData: { files: [picture()] },
  })
  await waitFor(() => expect(page.location()).toBe('/product/index?ImageKey=k1&Cid=34'))
})

test('a picture dropped on the search box opens the search by it', async () => {
  answer('post', PATH, found)
  const page = renderAt('/', Page)
  fireEvent.drop(screen.getByRole('search'), {
    dataTransfer: { files: [picture()], types: ['Files'] },
  })
  await waitFor(() => expect(page.location()).toBe('/product/index?ImageKey=k1&Cid=34'))
})

test.each([
  ['图片大小不能超过2MB', [picture('a.png', 2 * 1024 * 1024 + 1)]],
  ['请上传图片文件', [new File(['a'], 'a.txt', { type: 'text/plain' })]],
  ['一次只能上传一张图片，请只选择一张', [picture(), picture('b.png')]],
])('%s: told, and nothing is sent', async (message, files) => {
  const errors: string[] = []
  plugShell({ error: (told) => errors.push(told) })
  await open()
  choose(...files)
  await waitFor(() => expect(errors).toEqual([message]))
  expect(sent).toEqual([])
})

test('nothing found warns and keeps the picture, to try another', async () => {
  answer('post', PATH, { ...found, Total: 0, ImageKey: '', CategoryId: null, Categories: [] })
  await open()
  choose(picture())
  expect(await screen.findByText('未找到相关商品')).toBeInTheDocument()
  expect(screen.getByRole('alert')).toHaveTextContent(
    '未找到相关商品，请换一张主体清楚、背景简单的图片',
  )
  expect(screen.getByRole('img', { name: '待查找的图片' })).toBeVisible()
  await userEvent.click(screen.getByRole('button', { name: '换一张图片' }))
  expect(screen.getByRole('button', { name: '选择图片' })).toBeVisible()
})

test('a refusal is told beside the picture, which can be sent again', async () => {
  refuse('post', PATH, { code: 'file_refused', message: '无法识别动态图片，请截取其中一帧后上传' })
  const page = await open()
  choose(picture())
  expect(await screen.findByRole('alert')).toHaveTextContent(
    '无法识别动态图片，请截取其中一帧后上传',
  )
  answer('post', PATH, found)
  await userEvent.click(screen.getByRole('button', { name: '重试' }))
  await waitFor(() => expect(page.location()).toBe('/product/index?ImageKey=k1&Cid=34'))
})
