// The home page: banners, open tasks, frequently bought products, best sellers.
import assert from 'node:assert/strict'
import { heard, settled } from './browser.mjs'
import { journey } from './people.mjs'

const hero = (page) => page.getByRole('region', { name: '活动' })
const slide = (page) => hero(page).locator('a:not([aria-hidden="true"]) b')

/** Waits until the slide with this title shows. */
const shows = (page, title) => slide(page).getByText(title, { exact: true }).waitFor()

journey('the banners move on by themselves until they are paused or pointed at', async (people) => {
  const { page } = await people()
  await page.emulateMedia({ reducedMotion: 'no-preference' })
  await page.clock.install()
  await page.goto('/')
  await settled(page)
  const [first, second] = await hero(page).locator('b').allTextContents()
  await shows(page, first)
  await page.clock.runFor(6000)
  await shows(page, second)
  await hero(page).hover()
  await page.clock.runFor(20_000)
  assert.equal(await slide(page).textContent(), second)
  await hero(page).getByRole('button', { name: '暂停轮播' }).click()
  await page.mouse.move(0, 0)
  await page.clock.runFor(20_000)
  assert.equal(await slide(page).textContent(), second)
})

journey('a visitor sees ten that sell best, floors that come when they are scrolled to, and a reason to sign in', async (people) => {
  const { page, asked } = await people()
  await page.goto('/')
  await settled(page)
  const shown = await page.getByRole('region', { name: '热销榜' }).getByRole('listitem').getByRole('link').allTextContents()
  const { MsgBody } = await (await page.request.get('/api/Product?Sort=sales&PageIndex=1&PageSize=10')).json()
  assert.deepEqual(shown, MsgBody.Items.map((row) => row.CustomerProductName))
  assert.equal(shown.length, 10)
  const before = asked.filter((line) => line === 'GET /api/Product').length
  assert.ok(before <= 4, `${before} floors asked for at the top of the page`)
  const last = page.getByRole('region').filter({ has: page.getByRole('link', { name: '更多' }) }).last()
  await last.scrollIntoViewIfNeeded()
  await last.getByRole('article').first().waitFor()
  await page.getByRole('region', { name: '登录' }).getByRole('link', { name: '登录', exact: true }).click()
  await page.getByRole('heading', { name: '账号登录' }).waitFor()
})

journey('a buyer puts again into the cart what is bought often, in its least quantity', async (people) => {
  const { page } = await people({ as: 'buyer' })
  await page.goto('/')
  await settled(page)
  const often = page.getByRole('region', { name: '常购商品' })
  assert.equal(await often.getByRole('listitem').count(), 6)
  assert.match(await often.getByRole('button').first().textContent(), /^加购 \d+ \S+$/)
  await often.getByRole('button').first().click()
  await heard(page, '添加购物车成功')
})

journey('an approver sees how many wait for him, and goes to them', async (people) => {
  const { page } = await people({ as: 'approver' })
  await page.goto('/')
  await settled(page)
  const card = page.getByRole('region', { name: '我的工作' })
  const waiting = card.getByRole('link', { name: '待我审批' })
  assert.match(await waiting.textContent(), /^\d+待我审批$/)
  await card.getByRole('img', { name: /^可用 \d+%$/ }).first().waitFor()
  await waiting.click()
  await page.getByRole('heading', { level: 1, name: '订单审批' }).waitFor()
})
