// Ways through the storefront: floors, the list and back, the menu, the search box, two tabs.
import assert from 'node:assert/strict'
import { settled, tab } from './browser.mjs'
import { LoginPage } from './pages/login.mjs'
import { DetailPage, Header, ListPage } from './pages/shop.mjs'
import { journey } from './people.mjs'

/** Opens home and waits for it. */
async function atHome(people, options) {
  const opened = await people(options)
  await opened.page.goto('/')
  await settled(opened.page)
  return opened
}

journey('a floor far down brings its products by being scrolled to', async (people) => {
  const { page, asked } = await atHome(people)
  const before = asked.filter((line) => line === 'GET /api/Product').length
  assert.ok(before <= 4, `${before} floors asked for at the top of the page`)
  const last = page.getByRole('region').filter({ has: page.getByRole('link', { name: '更多' }) }).last()
  await last.scrollIntoViewIfNeeded()
  await last.getByRole('article').first().waitFor()
})

journey('from the list to a product and back, the list keeps its filters and its place', async (people) => {
  const { page } = await people({ as: 'buyer' })
  await page.goto('/product/index?Sort=sales&PageIndex=2')
  const list = await new ListPage(page).shown()
  await list.sortByPrice()
  const product = list.cards.nth(12).getByRole('link').first()
  const wanted = await product.innerText()
  const shown = await list.cards.first().innerText()
  await product.scrollIntoViewIfNeeded()
  const address = page.url()
  const place = await page.evaluate('window.scrollY')
  assert.ok(place > 300, `${place} is not far down the list`)
  await product.click()
  await new DetailPage(page).name.filter({ hasText: wanted }).waitFor()
  await page.goBack()
  await list.shown()
  assert.equal(page.url(), address)
  assert.equal(await list.cards.first().innerText(), shown)
  await page.waitForFunction((was) => Math.abs(window.scrollY - was) < 40, place)
})

journey('a slanting way into the open pane of the menu changes nothing on the way', async (people) => {
  const { page } = await people()
  await page.clock.install()
  await page.goto('/')
  await settled(page)
  const menu = page.getByRole('navigation', { name: '商品分类' })
  const items = menu.getByRole('button')
  const { x, y, width } = await menu.boundingBox()
  await page.mouse.move(x + 60, y + 60)
  const name = await page.locator('nav[aria-label="商品分类"] [aria-expanded="true"]').innerText()
  const pane = page.getByRole('group', { name, exact: true })
  await pane.waitFor()
  // From here the page's time goes by steps of a hand's four frames, however slow the machine; items are crossed on the way.
  await page.clock.pauseAt(await page.evaluate('Date.now() + 1000'))
  const crossed = new Set()
  for (let step = 1; step <= 12; step += 1) {
    await page.mouse.move(x + 60 + ((width + 20) * step) / 12, y + 60 + (200 * step) / 12)
    crossed.add(await menu.evaluate((element) => element.querySelector('button:hover')?.innerText))
    await page.clock.runFor(66)
    assert.ok(await pane.isVisible(), `the pane has changed after ${step} steps`)
  }
  assert.ok(crossed.size > 3, `crossed: ${[...crossed].join(', ')}`)
})

journey('the menu is walked by the arrow keys: into the pane and back', async (people) => {
  const { page } = await atHome(people)
  const items = page.getByRole('navigation', { name: '商品分类' }).getByRole('button')
  const name = await items.nth(1).innerText()
  await items.first().focus()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowRight')
  await page.getByRole('group', { name, exact: true }).locator('a:focus').waitFor()
  await page.keyboard.press('Escape')
  await page.locator('nav[aria-label="商品分类"] button:focus', { hasText: name }).waitFor()
})

journey('suggestions are walked by the arrow keys, and Enter takes the chosen one', async (people) => {
  const { page } = await atHome(people, { as: 'buyer' })
  const { search } = new Header(page)
  await search.fill('中性笔')
  await page.getByRole('option', { name: /^商品：/ }).first().waitFor()
  await page.getByRole('option', { name: /^分类：/ }).first().waitFor()
  await search.press('ArrowUp')
  const chosen = page.getByRole('option', { selected: true })
  const [group, name] = (await chosen.getAttribute('aria-label')).split('：')
  assert.equal(group, '商品')
  await search.press('Enter')
  await new DetailPage(page).info.filter({ hasText: name }).waitFor()
})

journey('signing out in one tab signs the other out too', async (people) => {
  const { context, page } = await atHome(people, { as: 'buyer' })
  const other = await tab(context)
  await other.page.goto('/')
  await other.page.getByRole('button', { name: '退出登录' }).waitFor()
  await page.evaluate("localStorage.removeItem('Token')")
  await other.page.getByRole('link', { name: '请登录' }).waitFor()
  assert.equal(await other.page.evaluate("localStorage.getItem('UserInfo')"), null)
})

journey('a token refreshed in one tab serves the other: neither is logged out, and nobody uses the old one again', async (people) => {
  const { context, page, asked } = await people({ may: /status of 401/ })
  await new LoginPage(page).signIn('buyer') // a family of tokens of its own: the kept one is other profiles' too
  await settled(page)
  await new Header(page).whole()
  const other = await tab(context)
  await other.page.goto('/')
  await settled(other.page)
  await new Header(other.page).whole()
  const refreshes = (lines) => lines.filter((line) => line.endsWith('/api/Account/RefreshToken')).length
  const broken = "localStorage.setItem('Token', JSON.stringify(JSON.parse(localStorage.getItem('Token')).slice(0, -4) + 'AAAA'))"
  await page.evaluate(broken)
  await page.goto('/product/index')
  await new ListPage(page).shown()
  await new Header(page).whole()
  await other.page.getByRole('link', { name: '全部商品', exact: true }).first().click()
  await new ListPage(other.page).shown()
  await other.page.getByRole('button', { name: '退出登录' }).waitFor()
  // Whichever of them asks the server first after the token broke.
  assert.equal(refreshes(asked) + refreshes(other.asked), 1)
})
