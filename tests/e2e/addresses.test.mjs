// Every address renders its screen with a title, without console errors or CSP violations, and without axe findings of WCAG 2.1 A and AA,
// at common widths. Each screen is opened once per right that changes it.
import assert from 'node:assert/strict'
import { violations } from './axe.mjs'
import { settled } from './browser.mjs'
import { journey } from './people.mjs'
import { NOWHERE, PUBLIC, SIGNED_IN } from './routes.mjs'

const REFUSED = '/userCenter/order/approval'
// The aliases of home show one screen; globalQuery.test.mjs opens them.
const screens = [...new Map(PUBLIC.toReversed().map((route) => [route.title ? `${route.layout} ${route.title}` : route.path, route])).values()].toReversed()
const home = PUBLIC.filter(({ path }) => path === '/')
const at = (...paths) => SIGNED_IN.filter(({ path }) => paths.includes(path))
/** Pages on which the buyer has data. */
const OWN = ['/shop/cart', '/shop/submit', '/userCenter/index', '/userCenter/order/index', '/userCenter/invoice/index']
/** reports.test.mjs and invoices.test.mjs run axe on these pages with data. */
const ELSEWHERE = /^\/userCenter\/(report|invoice)\//

/** The addresses per account. The group administrator may open everything. Other accounts open only pages that look different for them. */
const VISITS = {
  visitor: screens,
  ga: SIGNED_IN.filter(({ path }) => ![...OWN, REFUSED].includes(path) && !ELSEWHERE.test(path)),
  buyer: [...home, ...at(...OWN)],
  approver: at(REFUSED),
  limited: at(REFUSED, '/userCenter/index'),
}

// If the user lacks a right, the server also answers 403. An unknown address answers 404.
const mayOf = (role, path) => {
  if (path === NOWHERE) return /status of 404/
  return ['visitor', 'ga'].includes(role) ? undefined : /status of 403/
}

for (const [role, routes] of Object.entries(VISITS)) {
  journey(`${role} at ${routes.length} addresses: each its screen, without an error, and nothing that axe finds`, async (people) => {
    // One page visits all addresses, because a new page compiles the program again. The unknown address has its own page.
    for (const group of [routes.filter(({ path }) => path !== NOWHERE), routes.filter(({ path }) => path === NOWHERE)]) {
      if (!group.length) continue
      const { page, well, close } = await people({ as: role === 'visitor' ? undefined : role, may: mayOf(role, group[0].path), width: 1280, onlyLooks: true })
      const examined = new Set()
      for (const { path, title, layout } of group) {
        await page.goto(path)
        await settled(page)
        await page.waitForFunction((wanted) => document.title.includes(wanted), title)
        // Header, menus and footer are the same on all pages of a layout.
        assert.deepEqual(await violations(page, examined.has(layout) ? 'main' : ':root'), [], path)
        examined.add(layout)
        well()
      }
      await close()
    }
  }, { pictures: true })
}
