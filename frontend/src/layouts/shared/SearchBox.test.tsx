import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { renderAt } from '@/test/render'
import { answer, sent } from '@/test/server'
import { signIn } from '@/test/session'
import { Toasts } from '@/ui/Toasts'
import { SearchBox } from './SearchBox'
import { fake } from '@/test/fake'

const Page = () => (
  <>
    <SearchBox />
    <Toasts />
  </>
)
const suggestions = (): void => {
  answer('get', '/api/Search/Suggest', {
    Products: [],
    History: ['中性笔 红'],
    Categories: [{ CategoryId: '11', Name: '中性笔' }],
    Brands: [{ BrandId: '5', Name: '中采' }],
  })
  answer('post', '/api/Product/Search', [
    { ProductName: '中性笔', Brand: '笺禾', ProductCode: '110003', Kind: 'product' },
  ])
}
// jsdom does not scroll. In newer browsers scrollIntoView returns a promise.
HTMLElement.prototype.scrollIntoView = () => fake<undefined>(Promise.resolve())
const type = async (text: string): Promise<void> =>
  userEvent.type(screen.getByRole('combobox', { name: '搜索商品' }), text)

test('nothing typed is refused without a call, and pressed three times it is said once', async () => {
  renderAt('/', Page)
  await type('  {Enter}{Enter}{Enter}')
  expect(await screen.findAllByText('请输入搜索关键词')).toHaveLength(1)
  expect(sent).toEqual([])
})

test('a word leads to the list, trimmed', async () => {
  suggestions()
  const page = renderAt('/', Page)
  await type(' 复印纸 {Enter}')
  await waitFor(() =>
    expect(page.location()).toBe(`/product/index?Keyword=${encodeURIComponent('复印纸')}`),
  )
})

test('the word of another list is none of products', () => {
  renderAt('/userCenter/order/index?Keyword=SO26', Page)
  expect(screen.getByRole('combobox', { name: '搜索商品' })).toHaveValue('')
})

test('the word of the product list stands in the box', () => {
  renderAt('/product/index?Keyword=纸', Page)
  expect(screen.getByRole('combobox', { name: '搜索商品' })).toHaveValue('纸')
})

test('what is too long is kept as it is, not sent, and told with what is allowed', async () => {
  const page = renderAt('/', Page)
  const long = '字'.repeat(10_000)
  const box = screen.getByRole('combobox', { name: '搜索商品' })
  await userEvent.click(box)
  await userEvent.paste(long)
  await userEvent.keyboard('{Enter}')
  expect(box).toHaveValue(long)
  expect(await screen.findByRole('alert')).toHaveTextContent(
    '搜索词最多 100 个字，已输入 10000 个，请删减后再搜索',
  )
  expect(page.location()).toBe('/')
  expect(sent).toEqual([])
})

test('suggestions come in groups: own history, categories, brands, products', async () => {
  suggestions()
  renderAt('/', Page)
  await type('中')
  await screen.findByRole('option', { name: '商品：笺禾 中性笔' })
  await screen.findByRole('option', { name: '品牌：中采' })
  expect(screen.getAllByRole('option').map((option) => option.getAttribute('aria-label'))).toEqual([
    '最近搜索：中性笔 红',
    '分类：中性笔',
    '品牌：中采',
    '商品：笺禾 中性笔',
  ])
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
  await screen.findByRole('option', { name: '商品：笺禾 中性笔' })
  await type('{Escape}')
  expect(screen.queryByRole('listbox')).toBeNull()
})

test('Delete forgets the chosen search of one’s own, and the foot of the panel all of them', async () => {
  suggestions()
  answer('delete', '/api/Search/History', null)
  renderAt('/', Page)
  await type('中')
  await screen.findByRole('option', { name: '最近搜索：中性笔 红' })
  await type('{ArrowDown}{Delete}')
  await userEvent.click(screen.getByRole('button', { name: '清空搜索记录' }))
  const forgotten = () =>
    sent
      .filter(({ method }) => method === 'DELETE')
      .map(({ url }) => url.searchParams.get('Keyword'))
  await waitFor(() => expect(forgotten()).toEqual(['中性笔 红', null]))
})

test('hot words are for those who are signed in', async () => {
  signIn()
  answer('post', '/api/Product/SupposeCategory', [{ Keywords: '复印纸', IsHighlight: true }])
  renderAt('/', Page)
  expect(await screen.findByRole('link', { name: '复印纸' })).toHaveAttribute(
    'href',
    `/product/index?Keyword=${encodeURIComponent('复印纸')}`,
  )
  expect(sent[0]?.body).toMatchObject({ TopN: 8 })
})
