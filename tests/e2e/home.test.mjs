// The home page of a visitor. home.test.tsx covers the banners and the cards of a buyer.
import assert from 'node:assert/strict'
import { settled } from './browser.mjs'
import { journey } from './people.mjs'

journey('a visitor sees ten that sell best, floors that come when they are scrolled to, and a reason to sign in', async (people) => {
  const { page, asked } = await people()
  await page.goto('/')
  await settled(page)
  const shown = await page.getByRole('region', { name: '热销榜' }).getByRole('listitem').getByRole('link').allTextContents()
  const { MsgBody } = await (await page.request.get('/api/Product?Sort=sales&Group=family&Variants=1&PageIndex=1&PageSize=10')).json()
  assert.deepEqual(shown, MsgBody.Items.map((row) => row.Family?.Name ?? row.CustomerProductName))
  assert.equal(shown.length, 10)
  const before = asked.filter((line) => line === 'GET /api/Product').length
  assert.ok(before <= 4, `${before} floors asked for at the top of the page`)
  const last = page.getByRole('region').filter({ has: page.getByRole('link', { name: '更多' }) }).last()
  await last.scrollIntoViewIfNeeded()
  await last.getByRole('article').first().waitFor()
  await page.getByRole('region', { name: '登录' }).getByRole('link', { name: '登录', exact: true }).click()
  await page.getByRole('heading', { name: '账号登录' }).waitFor()
})
