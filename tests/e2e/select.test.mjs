// 一键选品 from an empty screen to lines in the cart. select.test.tsx covers the list.
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
