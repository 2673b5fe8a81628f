// Product selection: filters, the choice of a family's product, and comparison in the list.
import assert from 'node:assert/strict'
import { heard } from './browser.mjs'
import { CartPage, DetailPage, ListPage } from './pages/shop.mjs'
import { journey } from './people.mjs'

journey('filters and a comparison in the list stay over a reload, a product and back, and the chosen colour is in the cart', async (people) => {
  const { page } = await people({ as: 'buyer' })
  await page.goto('/product/index?Keyword=中性笔')
  const list = await new ListPage(page).shown('“中性笔”的搜索结果')

  const brands = page.getByRole('group', { name: '品牌' })
  await brands.getByRole('button', { name: '多选' }).click()
  await brands.getByRole('checkbox').first().check()
  await brands.getByRole('checkbox').nth(1).check()
  await brands.getByRole('button', { name: '确定' }).click()
  await brands.getByRole('button', { pressed: true }).nth(1).waitFor()
  await list.shown('“中性笔”的搜索结果')
  const address = page.url()
  await page.reload()
  await list.shown('“中性笔”的搜索结果')
  assert.equal(await brands.getByRole('button', { pressed: true }).count(), 2)

  const card = list.cards.filter({ has: page.getByRole('group', { name: '可选规格' }) }).first()
  const before = await card.getByRole('link').first().getAttribute('href')
  await card.getByRole('button', { name: '选规格' }).click()
  const dialog = page.getByRole('dialog', { name: '选择规格' })
  const axis = dialog.getByRole('group', { name: /^选择/ }).first()
  const wanted = await axis.getByRole('button', { pressed: false }).first().innerText()
  await axis.getByRole('button', { name: wanted, exact: true }).click()
  await axis.getByRole('button', { name: wanted, exact: true, pressed: true }).waitFor()
  await dialog.getByRole('button', { name: '加入购物车', disabled: false }).click()
  await heard(page, '添加购物车成功')
  await dialog.waitFor({ state: 'detached' })
  const chosen = await card.getByRole('link').first().getAttribute('href')
  const name = await card.getByRole('link').first().innerText()
  assert.notEqual(chosen, before)

  await card.hover()
  await card.getByRole('button', { name: /^对比/ }).click()
  await list.cards.nth(3).hover()
  await list.cards.nth(3).getByRole('button', { name: /^对比/ }).click()
  const tray = page.getByRole('region', { name: '对比栏' })
  await tray.getByRole('link', { name: '对比 2 件' }).waitFor()

  await card.getByRole('link').first().click()
  await page.waitForURL(`**${chosen}`)
  const detail = new DetailPage(page)
  await detail.info.getByRole('heading', { level: 1, name, exact: true }).waitFor()
  await detail.info.getByRole('group', { name: /^选择/ }).first().locator('[aria-current]', { hasText: wanted }).waitFor()
  await tray.waitFor()
  await page.goBack()
  await list.shown('“中性笔”的搜索结果')
  assert.equal(page.url(), address)

  await tray.getByRole('link', { name: '对比 2 件' }).click()
  const table = page.getByRole('region', { name: '对比表' })
  await table.waitFor()
  assert.equal(await table.getByRole('columnheader').count(), 2)
  await page.getByLabel('只看不同项').check()
  await table.getByRole('rowheader', { name: /^商品编码.*不同/ }).waitFor()

  await new CartPage(page).open()
  assert.equal(await page.getByRole('link', { name, exact: true }).first().getAttribute('href'), chosen)
})
