// Search: the suggestions of the header, synonyms, and the alternatives on an empty list.
import { Header, ListPage } from './pages/shop.mjs'
import { journey } from './people.mjs'

journey('a category suggested by its sound is reached by the keys, a synonym finds, and an empty list names what to drop and what is near', async (people) => {
  const { page } = await people({ as: 'buyer' })
  await page.goto('/product/index')
  await new ListPage(page).shown()
  const header = new Header(page)
  await header.search.fill('zhongxingbi')
  await page.getByRole('option', { name: '分类：中性笔', exact: true }).waitFor()
  await header.search.press('ArrowDown')
  await page.getByRole('option', { name: '分类：中性笔', exact: true, selected: true }).waitFor()
  await header.search.press('Enter')
  const list = await new ListPage(page).shown('中性笔')

  await header.find('充电宝')
  await list.cards.filter({ hasText: '移动电源' }).first().waitFor()

  await page.goto('/product/index?Keyword=订书机&MinPrice=99999')
  await page.getByRole('group', { name: '放宽条件' }).getByRole('button', { name: /去掉“价格：99999\.00 元以上”/ }).click()
  await list.cards.filter({ hasText: '订书机' }).first().waitFor()

  await header.search.fill('订书抓')
  await header.search.press('Enter')
  await page.getByRole('group', { name: '相近的词' }).getByRole('link', { name: /^订书机/ }).click()
  await list.shown('“订书机”的搜索结果')
})
