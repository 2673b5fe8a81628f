import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { renderAt } from '@/test/render'
import { answer, sent } from '@/test/server'
import { signIn } from '@/test/session'
import { Toasts } from '@/ui/Toasts'
import { SearchBox } from './SearchBox'

const Page = () => (
  <>
    <SearchBox />
    <Toasts />
  </>
)
const suggestions = (): void => {
  answer('get', '/api/Search/Suggest', { Products: [], History: ['中性笔 红'], Categories: [{ CategoryId: '11', Name: '中性笔' }], Brands: [{ BrandId: '5', Name: '中采' }] })
  answer('post', '/api/Product/Search', [{ ProductName: '笺禾中性笔', ProductCode: '110003', Kind: 'product' }])
}
const type = async (text: string): Promise<void> => userEvent.type(screen.getByRole('combobox', { name: '搜索商品' }), text)

test('nothing typed is refused without a call', async () => {
  renderAt('/', Page)
  await type('  {Enter}')
  expect(await screen.findByText('请输入搜索关键词')).toBeInTheDocument()
  expect(sent).toEqual([])
})

test('a word leads to the list, trimmed', async () => {
  suggestions()
  const page = renderAt('/', Page)
  await type(' 复印纸 {Enter}')
  await waitFor(() => expect(page.location()).toBe(`/product/index?Keyword=${encodeURIComponent('复印纸')}`))
})

test('suggestions come in groups: own history, categories, brands, products', async () => {
  suggestions()
  renderAt('/', Page)
  await type('中')
  await screen.findByRole('option', { name: '商品：笺禾中性笔' })
  await screen.findByRole('option', { name: '品牌：中采' })
  expect(screen.getAllByRole('option').map((option) => option.getAttribute('aria-label'))).toEqual(['最近搜索：中性笔 红', '分类：中性笔', '品牌：中采', '商品：笺禾中性笔'])
})

test('the arrow keys choose, and Enter goes to the chosen category', async () => {
  suggestions()
  const page = renderAt('/', Page)
  await type('中')
  await screen.findByRole('option', { name: '分类：中性笔' })
  await type('{ArrowDown}{ArrowDown}{Enter}')
  await waitFor(() => expect(page.location()).toBe('/product/index?Cid=11'))
})

test('Esc puts the suggestions away', async () => {
  suggestions()
  renderAt('/', Page)
  await type('中')
  await screen.findByRole('option', { name: '商品：笺禾中性笔' })
  await type('{Escape}')
  expect(screen.queryByRole('listbox')).toBeNull()
})

test('hot words are for those who are signed in', async () => {
  signIn()
  answer('post', '/api/Product/SupposeCategory', [{ Keywords: '复印纸', IsHighlight: true }])
  renderAt('/', Page)
  expect(await screen.findByRole('link', { name: '复印纸' })).toHaveAttribute('href', `/product/index?Keyword=${encodeURIComponent('复印纸')}`)
  expect(sent[0]?.body).toMatchObject({ TopN: 8 })
})
