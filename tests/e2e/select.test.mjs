// 一键选品, each way from an empty screen to lines in the cart.
import assert from 'node:assert/strict'
import { heard } from './browser.mjs'
import { journey } from './people.mjs'

/** Waits for the computed result. */
async function result(page) {
  const list = page.getByRole('list', { name: '选品结果' })
  await list.waitFor()
  return list
}

const yuanOf = (text) => Number(/¥([\d,.]+)/.exec(text)[1].replaceAll(',', ''))

journey('welcome kits for 12 people within 3,000 yuan go into the cart, and the cheaper basket costs less', async (people) => {
  const { page } = await people({ as: 'buyer' })
  await page.goto('/')
  await page.getByRole('banner').getByRole('link', { name: '一键选品' }).click()
  await page.getByRole('heading', { name: '一键选品' }).waitFor()
  await page.getByLabel('新员工人数').fill('12')
  await page.getByLabel('预算（元，含税）').fill('3000')
  await page.getByRole('button', { name: '生成方案' }).click()
  const lines = await result(page)
  const foot = page.getByRole('region', { name: '合计' })
  const best = yuanOf(await foot.locator('strong').innerText())
  assert.ok(best > 1000 && best <= 3000, `${best}`)
  await page.getByRole('radio', { name: /更省/ }).click()
  assert.ok(yuanOf(await foot.locator('strong').innerText()) < best)
  const kinds = await lines.getByRole('listitem').count()
  await foot.getByRole('button', { name: '全部加入购物车' }).click()
  await heard(page, '添加购物车成功')
  assert.ok(kinds >= 6, `${kinds}`)
  // Input and result survive a reload.
  await page.reload()
  await result(page)
  assert.equal(await page.getByLabel('预算（元，含税）').inputValue(), '3000')
})

journey('a pasted list becomes lines; what nothing fits says so, another product is chosen, and all goes into the cart', async (people) => {
  const { page } = await people({ as: 'buyer' })
  await page.goto('/product/select?Way=list')
  await page.getByLabel(/^清单：/).fill('黑色中性笔 20支\n石墨烯纳米枪 3个\nA5 笔记本 12本')
  await page.getByRole('button', { name: '开始选品' }).click()
  const lines = await result(page)
  await page.getByRole('status').filter({ hasText: '共 3 行，已选好 2 种，1 行请您确认' }).waitFor()
  await lines.getByText('没有找到“石墨烯纳米枪”').waitFor()
  const pens = lines.getByRole('listitem', { name: '黑色中性笔 20支' })
  await pens.getByRole('button', { name: /换一个/ }).click()
  const choice = pens.getByRole('list', { name: /候选商品/ }).getByRole('listitem').nth(1)
  const name = (await choice.getByRole('link').innerText()).trim()
  await choice.getByRole('button', { name: /选用/ }).click()
  await pens.getByRole('link', { name, exact: true }).waitFor()
  await page.getByRole('button', { name: '全部加入购物车' }).click()
  await heard(page, '添加购物车成功')
  await page.getByRole('link', { name: '去购物车' }).click()
  await page.getByRole('region', { name: '可购买的商品' }).getByText(name).first().waitFor()
})
