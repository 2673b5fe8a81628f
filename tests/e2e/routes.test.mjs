// Every address shows its screen, with its title, without an error in the console and without a violation of the page's policy.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { launch, open } from './browser.mjs'
import { LoginPage } from './pages/login.mjs'
import { PUBLIC, SIGNED_IN } from './routes.mjs'

let browser
let signedIn

before(async () => {
  browser = await launch()
  const { context, page } = await open(browser)
  await new LoginPage(page).signIn('ga')
  signedIn = await context.storageState()
  await context.close()
})

after(() => browser.close())

async function shows(route, storageState) {
  const { context, page, well } = await open(browser, { storageState })
  await page.goto(route.path)
  await page.waitForLoadState('networkidle')
  assert.match(await page.title(), new RegExp(route.title))
  assert.notEqual((await page.locator('main').first().innerText()).trim(), '')
  well()
  await context.close()
}

for (const route of PUBLIC) test(`a visitor sees ${route.path}`, () => shows(route))
for (const route of [...PUBLIC.filter((one) => one.path !== '/login'), ...SIGNED_IN]) test(`the group admin sees ${route.path}`, () => shows(route, signedIn))

for (const route of SIGNED_IN) {
  test(`a visitor who asks for ${route.path} is sent to sign in`, async () => {
    const { context, page, well } = await open(browser)
    await page.goto(route.path)
    await page.waitForURL((address) => address.pathname === '/login')
    well()
    await context.close()
  })
}
