// Every screen of every person holds WCAG 2.1 A and AA as far as axe can see, at the widths people have.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { after, before, test } from 'node:test'
import { launch, open } from './browser.mjs'
import { LoginPage } from './pages/login.mjs'
import { PUBLIC, SIGNED_IN } from './routes.mjs'

const AXE = readFileSync(createRequire(new URL('../../frontend/package.json', import.meta.url)).resolve('axe-core/axe.min.js'), 'utf8')
const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa']

// Addresses that show the same screen (home has six) are looked at once.
const publicPaths = [...new Map(PUBLIC.toReversed().map(({ path, title, layout }) => [title ? `${layout} ${title}` : path, path])).values()].toReversed()
const ownPaths = SIGNED_IN.map(({ path }) => path)
const PATHS = {
  visitor: publicPaths,
  buyer: [...publicPaths.filter((path) => path !== '/login'), ...ownPaths],
  approver: ['/', ...ownPaths],
  ga: ['/', ...ownPaths],
  limited: ['/', ...ownPaths],
}

let browser
const states = {}

before(async () => {
  browser = await launch()
  for (const role of Object.keys(PATHS).filter((one) => one !== 'visitor')) {
    const { context, page } = await open(browser)
    await new LoginPage(page).signIn(role)
    states[role] = await context.storageState()
    await context.close()
  }
})

after(() => browser.close())

/** What axe finds, one line per element: the rule, where, and what to do. */
async function violations(page) {
  // Through the protocol, as the page's own policy lets no other script in.
  await page.evaluate(AXE)
  const { violations: found } = await page.evaluate((values) => globalThis.axe.run(document, { runOnly: { type: 'tag', values } }), RULES)
  return found.flatMap(({ id, nodes }) => nodes.map(({ target, failureSummary }) => `${id}: ${target.join(' ')} — ${failureSummary.replaceAll(/\s+/g, ' ')}`))
}

for (const [role, paths] of Object.entries(PATHS)) {
  for (const path of paths) {
    test(`${role} at ${path}: nothing that axe finds`, async () => {
      const { context, page } = await open(browser, { width: 1280, storageState: states[role] })
      try {
        await page.goto(path)
        await page.waitForLoadState('networkidle')
        assert.deepEqual(await violations(page), [])
      } finally {
        await context.close()
      }
    })
  }
}
