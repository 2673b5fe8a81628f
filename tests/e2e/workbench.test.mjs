// The workbench: the figures of each role, frequently bought products, and shortcuts that keep their order.
import assert from 'node:assert/strict'
import { heard, settled } from './browser.mjs'
import { journey } from './people.mjs'

async function open(page) {
  await page.goto('/userCenter/index')
  await page.getByRole('region', { name: '快捷入口' }).waitFor()
  await settled(page)
}

journey('an administrator sees the group\'s year month by month, by keyboard and as a table', async (people) => {
  const { page } = await people({ as: 'ga', onlyLooks: true })
  await open(page)
  const spend = page.getByRole('region', { name: '采购额' })
  await spend.getByText(/全集团/).waitFor()
  await spend.locator('[data-month]').last().focus()
  await page.keyboard.press('ArrowLeft')
  const label = await spend.locator('[data-month][data-shown="true"]').getAttribute('aria-label')
  const [, month, amount] = /^(\d+ 年 \d+ 月)，(¥[\d,.]+)，\d+ 单$/.exec(label)
  await spend.getByText('以表格查看').click()
  assert.equal(await spend.getByRole('row', { name: new RegExp(`^${month}`) }).getByText(amount).count(), 1)
  await page.getByRole('region', { name: '预算' }).getByRole('link', { name: /^(全部 \d+ 个|预算余额)$/ }).waitFor()
})

journey('shortcuts stay as one put them, in any browser, until they are put back', async (people) => {
  const { page } = await people({ as: 'finance' })
  await open(page)
  const card = page.getByRole('region', { name: '快捷入口' })
  const names = () => card.getByRole('link').allInnerTexts()
  const before = await names()
  await card.getByRole('button', { name: '自定义' }).click()
  await card.getByRole('button', { name: `${before[1]}前移` }).click()
  await card.getByRole('button', { name: '保存' }).click()
  await heard(page, '快捷入口已保存')
  const { page: elsewhere } = await people({ as: 'finance' })
  await open(elsewhere)
  const there = await elsewhere.getByRole('region', { name: '快捷入口' }).getByRole('link').allInnerTexts()
  assert.deepEqual(there.slice(0, 2), [before[1], before[0]])
  await card.getByRole('button', { name: '自定义' }).click()
  await card.getByRole('button', { name: '恢复默认' }).click()
  await card.getByRole('link', { name: before[0] }).waitFor()
  assert.deepEqual(await names(), before)
})
