// Takes screenshots for review by people:
//   python -m tests.e2e -- node tests/e2e/screens.mjs --out /tmp/screens [--roles visitor,buyer,ga] [--widths 1440,1280] [--routes /,/shop/cart] [--fold]
// Accounts whose names begin with ops are staff: they sign in to the back office and visit its pages. The pictures docs/pictures/office-* are of
// ops.kefu with --fold.
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { PASSWORD, launch, profile, settled, tab } from './browser.mjs'
import { LoginPage } from './pages/login.mjs'
import { BackOffice } from './pages/orders.mjs'
import { OFFICE, PUBLIC, SIGNED_IN } from './routes.mjs'

const { values } = parseArgs({
  options: {
    out: { type: 'string', default: '/tmp/screens' },
    roles: { type: 'string', default: 'visitor,buyer' },
    widths: { type: 'string', default: '1440,1280' },
    routes: { type: 'string' },
    fold: { type: 'boolean', default: false },
  },
})

const isStaff = (role) => role.startsWith('ops')
const routesOf = (role) => (isStaff(role) ? OFFICE : [...PUBLIC, ...(role === 'visitor' ? [] : SIGNED_IN)])
const pathsOf = (role) => values.routes?.split(',') ?? routesOf(role).map((route) => route.path)
const fileName = (role, path, width) => `${role}${path === '/' ? '-home' : path.replaceAll(/[^A-Za-z0-9]+/g, '-').replace(/-$/, '')}-${width}.png`

mkdirSync(values.out, { recursive: true })
const browser = await launch()
for (const role of values.roles.split(',')) {
  let storageState
  if (role !== 'visitor') {
    const context = await profile(browser)
    const { page } = await tab(context)
    await (isStaff(role) ? new BackOffice(page).signIn(role, PASSWORD) : new LoginPage(page).signIn(role))
    storageState = await context.storageState()
    await context.close()
  }
  for (const width of values.widths.split(',').map(Number)) {
    const context = await profile(browser, { width, storageState })
    const { page, faults } = await tab(context)
    for (const path of pathsOf(role)) {
      await page.goto(path)
      await (isStaff(role) ? page.waitForLoadState('load') : settled(page))
      await page.screenshot({ path: join(values.out, fileName(role, path, width)), fullPage: !values.fold })
    }
    for (const fault of faults) process.stdout.write(`${role} ${width}: ${fault}\n`)
    await context.close()
  }
}
await browser.close()
process.stdout.write(`${values.out}\n`)
