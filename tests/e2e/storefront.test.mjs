// What every screen promises: few calls before its content, no shift of what is shown.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { launch, open } from './browser.mjs'
import { CartPage } from './pages/shop.mjs'
import { publicProduct } from './routes.mjs'
import { callsBeforeContent, signedIn, visit } from './visits.mjs'

const CARD = 'main article'
/** Address, what counts as its content, calls allowed before it (frontend.md, Budgets), and whether visitors see it. */
const SCREENS = [
  { path: '/', content: CARD, calls: 6, visitor: true },
  { path: '/product/index', content: CARD, calls: 3, visitor: true },
  { path: '/product/index?Keyword=中性笔&View=table', content: 'main tbody tr', calls: 3, visitor: true },
  { path: `/${publicProduct().code}.html`, content: 'main h1', calls: 3, visitor: true },
  { path: `/product/detail?ProductCode=${publicProduct().code}`, content: 'main h1', calls: 3, visitor: true },
  { path: '/login', content: 'main form', calls: 0, visitor: true },
  { path: '/shop/cart', content: 'main input[type="checkbox"]', calls: 3 },
  { path: '/shop/submit', content: 'main aside', calls: 3 },
  { path: '/userCenter/index', content: 'main section', calls: 3 },
  { path: '/userCenter/order/index', content: CARD, calls: 3 },
  { path: '/userCenter/order/approval', content: 'main h1', calls: 3 },
]

let browser
let buyer

before(async () => {
  browser = await launch()
  buyer = await signedIn(browser, 'buyer')
  const { context, page } = await open(browser, { storageState: buyer })
  const cart = new CartPage(page)
  await cart.open()
  await cart.chooseAll() // another journey may have left nothing chosen
  await context.close()
})

after(() => browser.close())

for (const screen of SCREENS) {
  for (const who of screen.visitor ? ['a visitor', 'a buyer'] : ['a buyer']) {
    if (screen.path === '/login' && who === 'a buyer') continue
    test(`${who} sees ${screen.path} after ${screen.calls} calls at most, and nothing shown moves`, async () => {
      const { context, page, well } = await visit(browser, screen, who === 'a buyer' ? buyer : undefined)
      const calls = await page.evaluate(callsBeforeContent)
      assert.ok(calls.length <= screen.calls, calls.join('\n'))
      await page.waitForLoadState('networkidle')
      await page.mouse.wheel(0, 600)
      await page.waitForLoadState('networkidle')
      const shifted = await page.evaluate('window.shifted')
      assert.ok(shifted <= 0.05, `shifted by ${shifted}`)
      well()
      await context.close()
    })
  }
}
