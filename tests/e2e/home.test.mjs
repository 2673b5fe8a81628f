// The home page: its banners, what waits for a person, what he buys again, what sells best.
import assert from 'node:assert/strict'
import { heard, settled } from './browser.mjs'
import { journey } from './people.mjs'

const hero = (page) => page.getByRole('region', { name: '活动' })
const slide = (page) => hero(page).locator('a:not([aria-hidden="true"]) b')

/** Opens home with the page's clock in our hand; the titles of the banners. */
async function opened(page, reducedMotion) {
  await page.emulateMedia({ reducedMotion })
  await page.clock.install()
  await page.goto('/')
  await settled(page)
  const titles = await hero(page).locator('b').allTextContents()
  assert.ok(titles.length > 1)
  return titles
}

/** The slide with that title is the one shown. */
const shows = (page, title) => slide(page).getByText(title, { exact: true }).waitFor()

journey('the banners move on by themselves until they are paused', async (people) => {
  const { page } = await people()
  const [first, second] = await opened(page, 'no-preference')
  await shows(page, first)
  await page.clock.runFor(6000)
  await shows(page, second)
  await hero(page).getByRole('button', { name: '暂停轮播' }).click()
  await page.mouse.move(0, 0)
  await page.clock.runFor(20_000)
  assert.equal(await slide(page).textContent(), second)
})

journey('the banners stand still under the pointer', async (people) => {
  const { page } = await people()
  const [first] = await opened(page, 'no-preference')
  await hero(page).hover()
  await page.clock.runFor(20_000)
  assert.equal(await slide(page).textContent(), first)
})

journey('who wants no motion turns the banners by hand: arrows, keys, dots', async (people) => {
  const { page } = await people()
  const titles = await opened(page, 'reduce')
  await page.clock.runFor(20_000)
  assert.equal(await slide(page).textContent(), titles[0])
  await hero(page).getByRole('button', { name: '下一张' }).click()
  await shows(page, titles[1])
  await page.keyboard.press('ArrowLeft')
  await shows(page, titles[0])
  await page.keyboard.press('ArrowLeft')
  await shows(page, titles.at(-1))
  await hero(page).getByRole('button', { name: `第 2 张：${titles[1]}` }).click()
  await shows(page, titles[1])
  await hero(page).getByRole('button', { name: '自动轮播' }).waitFor()
})

journey('a visitor sees ten that sell best, most sold first, and a reason to sign in', async (people) => {
  const { page } = await people()
  await page.goto('/')
  await settled(page)
  const shown = await page.getByRole('region', { name: '热销榜' }).getByRole('listitem').getByRole('link').allTextContents()
  const { MsgBody } = await (await page.request.get('/api/Product?Sort=sales&PageIndex=1&PageSize=10')).json()
  assert.deepEqual(shown, MsgBody.Items.map((row) => row.CustomerProductName))
  assert.equal(shown.length, 10)
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

journey('help is one click away where it is needed, in a tab of its own', async (people) => {
  const { page, context } = await people()
  await page.goto('/login')
  const [manual] = await Promise.all([context.waitForEvent('page'), page.getByRole('link', { name: '第一次使用？看商城使用手册' }).click()])
  await manual.getByRole('heading', { level: 1, name: '商城使用手册' }).waitFor()
  await page.getByRole('heading', { name: '账号登录' }).waitFor()
})
