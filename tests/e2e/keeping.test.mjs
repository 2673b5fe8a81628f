// Saved products: from the ranking to the favourites and the browse history, and into the cart.
import { heard } from './browser.mjs'
import { journey } from './people.mjs'

const lines = (page, list) => page.getByRole('list', { name: list }).getByRole('listitem')

journey('a favourite and a look at a product are kept, put into the cart and taken away', async (people) => {
  const { page } = await people({ as: 'buyer' })
  await page.goto('/product/rank?Period=year')
  const name = await lines(page, '企业排行').nth(1).getByRole('link').textContent()
  await lines(page, '企业排行').nth(1).getByRole('link').click()
  await page.getByRole('heading', { name, level: 1 }).waitFor()
  // The demo data may already contain it.
  const keep = page.getByRole('button', { name: /^(已)?收藏$/ })
  if ((await keep.innerText()).trim() === '已收藏') await keep.click()
  await page.getByRole('button', { name: '收藏', exact: true }).click()
  await heard(page, '添加收藏成功')
  await page.goto('/userCenter/index')
  await page.getByRole('link', { name: '我的收藏' }).first().click()
  const kept = page.getByRole('region', { name: '收藏的商品' })
  await kept.getByRole('checkbox', { name: `选择${name}` }).check()
  await kept.getByRole('button', { name: '批量加入购物车' }).click()
  await heard(page, '1 种商品已加入购物车')
  await kept.getByRole('checkbox', { name: `选择${name}`, checked: false }).waitFor()
  await kept.getByRole('checkbox', { name: `选择${name}` }).check()
  await kept.getByRole('button', { name: '批量移除' }).click()
  await page.getByRole('dialog').getByRole('button', { name: '移除' }).click()
  await heard(page, '已从收藏移除 1 种商品')
  await page.getByRole('link', { name: '浏览历史' }).first().click()
  await page.getByText('只保留最近浏览的 100 种商品').waitFor()
  await page.getByRole('heading', { name: /^今天/ }).waitFor()
  await page.getByRole('link', { name, exact: true }).waitFor()
  await page.getByRole('button', { name: '清空' }).click()
  await page.getByRole('dialog').getByRole('button', { name: '清空' }).click()
  await page.getByText('还没有浏览记录').waitFor()
})
