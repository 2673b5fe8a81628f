// Ways through the storefront: floors, the list and back, the menu, the search box, two tabs.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { launch, open } from './browser.mjs'
import { LoginPage } from './pages/login.mjs'
import { DetailPage, Header, ListPage } from './pages/shop.mjs'
import { signedIn, visit } from './visits.mjs'

const CARD = 'main article'
const HOME = { path: '/', content: CARD }

let browser
let buyer

before(async () => {
  browser = await launch()
  buyer = await signedIn(browser, 'buyer')
})

after(() => browser.close())

test('a floor far down brings its products by being scrolled to', async () => {
  const { context, page, asked } = await visit(browser, HOME)
  await page.waitForLoadState('networkidle')
  const before = asked.filter((line) => line === 'GET /api/Product').length
  assert.ok(before <= 4, `${before} floors asked for at the top of the page`)
  const last = page.getByRole('region').filter({ has: page.getByRole('link', { name: '更多' }) }).last()
  await last.scrollIntoViewIfNeeded()
  await last.getByRole('article').first().waitFor()
  await context.close()
})

test('from the list to a product and back, the list keeps its filters and its place', async () => {
  const { context, page, well } = await visit(browser, { path: '/product/index?Sort=sales&PageIndex=2', content: CARD }, buyer)
  const list = await new ListPage(page).sortByPrice()
  const product = list.cards.nth(12).getByRole('link')
  const wanted = await product.innerText()
  const shown = await list.cards.first().innerText()
  await product.scrollIntoViewIfNeeded()
  const address = page.url()
  const place = await page.evaluate('window.scrollY')
  await product.click()
  await new DetailPage(page).name.filter({ hasText: wanted }).waitFor()
  await page.goBack()
  await list.shown()
  assert.equal(page.url(), address)
  assert.equal(await list.cards.first().innerText(), shown)
  assert.ok(place > 300, `${place} is not far down the list`)
  await page.waitForFunction((was) => Math.abs(window.scrollY - was) < 40, place)
  well()
  await context.close()
})

test('a slanting way into the open pane of the menu changes nothing on the way', async () => {
  const { context, page } = await visit(browser, HOME)
  const menu = page.getByRole('navigation', { name: '商品分类' })
  const items = menu.getByRole('button')
  await items.nth(1).hover()
  const name = await items.nth(1).innerText()
  const pane = page.getByRole('group', { name, exact: true })
  await pane.waitFor()
  const { x, y, width } = await menu.boundingBox()
  await page.mouse.move(x + 60, y + 60)
  // As slow as a hand: two frames a step, an item crossed every few steps.
  for (let step = 1; step <= 24; step += 1) {
    await page.mouse.move(x + 60 + ((width + 20) * step) / 24, y + 60 + (200 * step) / 24)
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))))
  }
  assert.ok(await pane.isVisible())
  await context.close()
})

test('the menu is walked by the arrow keys: into the pane and back', async () => {
  const { context, page } = await visit(browser, HOME)
  const items = page.getByRole('navigation', { name: '商品分类' }).getByRole('button')
  await items.first().focus()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowRight')
  const name = await items.nth(1).innerText()
  const link = page.getByRole('group', { name, exact: true }).getByRole('link').first()
  await link.waitFor()
  await page.waitForFunction(() => document.activeElement?.closest('[role="group"]'))
  await page.keyboard.press('Escape')
  assert.equal(await page.evaluate('document.activeElement.innerText'), name)
  await context.close()
})

test('suggestions are walked by the arrow keys, and Enter takes the chosen one', async () => {
  const { context, page, well } = await visit(browser, HOME, buyer)
  const { search } = new Header(page)
  await search.fill('中性笔')
  await page.getByRole('option', { name: /^商品：/ }).first().waitFor()
  await page.getByRole('option', { name: /^分类：/ }).first().waitFor()
  await search.press('ArrowUp')
  const chosen = page.getByRole('option', { selected: true })
  assert.match(await chosen.getAttribute('aria-label'), /^商品：/)
  await search.press('Enter')
  await page.waitForURL(/\/\d+\.html$/)
  well()
  await context.close()
})

test('signing out in one tab signs the other out too', async () => {
  const { context, page } = await visit(browser, HOME, buyer)
  const other = await context.newPage()
  await other.goto('/')
  await other.getByRole('button', { name: '退出登录' }).waitFor()
  await page.evaluate("localStorage.removeItem('Token')")
  await other.getByRole('link', { name: '请登录' }).waitFor()
  assert.equal(await other.evaluate("localStorage.getItem('UserInfo')"), null)
  await context.close()
})

test('a token refreshed in one tab serves the other: neither is logged out, and nobody uses the old one again', async () => {
  const { context, page, asked } = await open(browser)
  await new LoginPage(page).signIn('buyer')
  const other = await context.newPage()
  await other.goto('/')
  await other.getByRole('button', { name: '退出登录' }).waitFor()
  const broken = "localStorage.setItem('Token', JSON.stringify(JSON.parse(localStorage.getItem('Token')).slice(0, -4) + 'AAAA'))"
  await page.evaluate(broken)
  await page.goto('/product/index')
  await page.locator(CARD).first().waitFor()
  await page.waitForLoadState('networkidle')
  assert.equal(asked.filter((line) => line.endsWith('/api/Account/RefreshToken')).length, 1)
  const told = []
  other.on('request', (request) => told.push(new URL(request.url()).pathname))
  await other.getByRole('link', { name: '全部商品' }).first().click()
  await other.locator(CARD).first().waitFor()
  assert.ok(!told.includes('/api/Account/RefreshToken'))
  await other.getByRole('button', { name: '退出登录' }).waitFor()
  await context.close()
})
