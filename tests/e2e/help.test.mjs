// The help and about pages.
import assert from 'node:assert/strict'
import { journey } from './people.mjs'

journey('the help centre opens at its first page, and its search leads on, and a link in the text opens its page without loading the mall again', async (people) => {
  const { page } = await people()
  await page.goto('/help/detail')
  await page.getByRole('heading', { level: 1, name: '退货与换货' }).waitFor()
  assert.equal(new URL(page.url()).pathname, '/help/detail/1')

  await page.getByRole('searchbox', { name: '搜索帮助' }).fill('对公 个人微信')
  await page.getByRole('search').getByRole('link', { name: /公司转账/ }).click()
  await page.getByRole('heading', { level: 1, name: '公司转账' }).waitFor()
  assert.match(await page.title(), /^公司转账/)

  await page.goto('/help/detail/6')
  await page.evaluate('window.sameDocument = true')
  await page.locator('article').getByRole('link', { name: '开票与收款信息' }).click()
  await page.getByRole('heading', { level: 1, name: '开票与收款信息' }).waitFor()
  assert.equal(await page.evaluate('window.sameDocument'), true)
  assert.equal(new URL(page.url()).pathname, '/about/kpinfo')
})
