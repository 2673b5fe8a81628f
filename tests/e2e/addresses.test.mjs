// Every address shows each person its screen: titled, whole, without an error in the console or a violation of the page's policy, and
// with nothing that axe finds of WCAG 2.1 A and AA, at the width people have.
import assert from 'node:assert/strict'
import { violations } from './axe.mjs'
import { settled } from './browser.mjs'
import { journey } from './people.mjs'
import { NOWHERE, PUBLIC, SIGNED_IN } from './routes.mjs'

const HOME = PUBLIC.filter(({ path }) => path === '/')
// Addresses that show the same screen (home has six) are looked at by axe once.
const screens = [...new Map(PUBLIC.toReversed().map((route) => [route.title ? `${route.layout} ${route.title}` : route.path, route])).values()].toReversed()
const signedIn = (routes) => routes.filter(({ path }) => path !== '/login')

/** Who visits what; `shown` without axe, which has seen the screen elsewhere. */
const VISITS = {
  visitor: { seen: screens, shown: PUBLIC },
  buyer: { seen: [...signedIn(screens), ...SIGNED_IN], shown: [] },
  ga: { seen: [...HOME, ...SIGNED_IN], shown: [] },
  approver: { seen: HOME, shown: SIGNED_IN },
  limited: { seen: [...HOME, ...SIGNED_IN.filter(({ path }) => path === '/userCenter/order/approval')], shown: SIGNED_IN },
}

async function open(people, role, { path, title }) {
  // What a person may not see is refused by the server too, and what is not there is 404.
  const may = path === NOWHERE ? /status of 404/ : ['visitor', 'ga'].includes(role) ? undefined : /status of 403/
  const { page } = await people({ as: role === 'visitor' ? undefined : role, may, width: 1280, onlyLooks: true })
  await page.goto(path)
  await settled(page)
  await page.waitForFunction((wanted) => document.title.includes(wanted), title)
  return page
}

for (const [role, { seen, shown }] of Object.entries(VISITS)) {
  for (const route of shown.filter((one) => !seen.includes(one))) journey(`${role} at ${route.path}: its screen, without an error`, (people) => open(people, role, route))
  for (const route of seen) {
    journey(`${role} at ${route.path}: its screen, without an error, and nothing that axe finds`, async (people) => {
      assert.deepEqual(await violations(await open(people, role, route)), [])
    })
  }
}

for (const { path } of SIGNED_IN) {
  journey(`a visitor who asks for ${path} is sent to sign in`, async (people) => {
    const { page } = await people({ onlyLooks: true })
    await page.goto(path)
    await page.getByRole('heading', { name: '账号登录' }).waitFor()
    assert.equal(new URL(page.url()).pathname, '/login')
  })
}
