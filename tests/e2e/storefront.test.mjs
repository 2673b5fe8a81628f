// What every screen promises: few calls before its content, no shift of what is shown.
import assert from 'node:assert/strict'
import { before } from 'node:test'
import { settled } from './browser.mjs'
import { CartPage, Header } from './pages/shop.mjs'
import { journey, withPeople } from './people.mjs'
import { publicProduct } from './routes.mjs'
import { callsBeforeContent, visit } from './visits.mjs'

const CARD = 'main article'
/** Address, what counts as its content, calls allowed before it, and whether visitors see it. */
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
  { path: '/userCenter/order/productInquiry', content: 'main tbody tr:not([aria-hidden])', calls: 3 },
]

before(() =>
  withPeople(async (people) => {
    const cart = new CartPage((await people({ as: 'buyer' })).page)
    await cart.open()
    await cart.chooseAll() // another journey may have left nothing chosen
  }),
)

/** Scrolls on by hand; two frames later what came near the window has been asked for. */
async function scroll(page) {
  const { top, far } = await page.evaluate(() => ({ top: window.scrollY, far: document.documentElement.scrollHeight > window.innerHeight }))
  if (!far) return
  await page.mouse.wheel(0, 600)
  await page.waitForFunction((was) => window.scrollY > was && new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(true)))), top)
}

for (const screen of SCREENS) {
  for (const who of screen.visitor ? ['a visitor', 'a buyer'] : ['a buyer']) {
    if (screen.path === '/login' && who === 'a buyer') continue
    journey(`${who} sees ${screen.path} after ${screen.calls} calls at most, and nothing shown moves`, async (people) => {
      const { page } = await visit(people, screen, { as: who === 'a buyer' ? 'buyer' : undefined })
      const calls = await page.evaluate(callsBeforeContent)
      assert.ok(calls.length <= screen.calls, calls.join('\n'))
      await settled(page)
      if (who === 'a buyer') await new Header(page).whole()
      await scroll(page)
      await settled(page)
      const shifted = await page.evaluate('window.shifted')
      assert.ok(shifted <= 0.05, `shifted by ${shifted}`)
    })
  }
}
