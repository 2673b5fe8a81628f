// The performance budget of each screen: few requests before the content, no layout shift.
import assert from 'node:assert/strict'
import { settled } from './browser.mjs'
import { CartPage, Header } from './pages/shop.mjs'
import { journey } from './people.mjs'
import { publicProduct } from './routes.mjs'
import { callsOf, visit } from './visits.mjs'

const CARD = 'main article'
const detail = `/${publicProduct().code}.html`
/** The account and address, the content element, and the maximum number of its own requests before it. */
const SCREENS = {
  visitor: [
    { path: '/', content: CARD, calls: 6 },
    { path: '/product/index', content: CARD, calls: 3 },
    { path: '/login', content: 'main form', calls: 0 },
  ],
  buyer: [
    { path: '/', content: CARD, calls: 6 },
    { path: '/product/index?Keyword=中性笔&View=table', content: 'main tbody tr', calls: 3 },
    { path: detail, content: 'main h1', calls: 3 },
    { path: '/shop/cart', content: 'main input[type="checkbox"]', calls: 3 },
    { path: '/shop/submit', content: 'main aside', calls: 3 },
    { path: '/userCenter/index', content: 'main section', calls: 3 },
    { path: '/userCenter/order/index', content: CARD, calls: 3 },
    { path: '/userCenter/order/approval', content: 'main h1', calls: 3 },
    { path: '/userCenter/order/productInquiry', content: 'main tbody tr:not([aria-hidden])', calls: 3 },
  ],
}

/** Scrolls like a user. Two frames later the content near the window is requested. */
async function scroll(page) {
  const { top, far } = await page.evaluate(() => ({ top: window.scrollY, far: document.documentElement.scrollHeight > window.innerHeight }))
  if (!far) return
  await page.mouse.wheel(0, 600)
  await page.waitForFunction((was) => window.scrollY > was && new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(true)))), top)
}

for (const [who, screens] of Object.entries(SCREENS)) {
  journey(`a ${who} sees each of ${screens.length} screens after few calls, and nothing shown moves`, async (people) => {
    if (who === 'buyer') {
      const cart = new CartPage((await people({ as: 'buyer' })).page)
      await cart.open()
      await cart.chooseAll() // another test may have left nothing selected
    }
    for (const { path, content, calls } of screens) {
      // A first visit with an empty cache.
      const { page, close } = await visit(people, { path, content }, { as: who === 'buyer' ? 'buyer' : undefined })
      const { own } = await callsOf(page)
      assert.ok(own.length <= calls, `${path}\n${own.join('\n')}`)
      await settled(page)
      if (who === 'buyer') await new Header(page).whole()
      const { counts } = await callsOf(page)
      assert.equal(new Set(counts).size, counts.length, `${path} counts twice\n${counts.join('\n')}`)
      await scroll(page)
      await settled(page)
      const { shifted, shifts } = await page.evaluate(() => ({ shifted: window.shifted, shifts: window.shifts }))
      assert.ok(shifted <= 0.05, `${path} shifted by ${shifted}\n${shifts.join('\n')}`)
      await close()
    }
  })
}
