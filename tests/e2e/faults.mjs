// Faults on the product page, with mocked responses.
import { readFileSync } from 'node:fs'
import { heard } from './browser.mjs'
import { DetailPage } from './pages/shop.mjs'
import { publicProduct } from './routes.mjs'

export const PRODUCT = `/${publicProduct().code}.html`

/** The console message of the browser for a response that the test breaks. */
export const SPOILT = /Failed to load resource|^5\d\d: /

const { chunks } = JSON.parse(readFileSync(new URL('../../static/app/chunk-groups.json', import.meta.url), 'utf8'))
/** Returns the address of a chunk by its name in the code. */
export const chunk = (name) => `**/${chunks[name]}`

/** Opens a product page and waits for the idle-loaded code of the rare dialogs. */
export async function product(people, options) {
  const opened = await people(options)
  const { page } = opened
  const rested = page.waitForResponse(chunk('trouble'))
  await page.goto(PRODUCT)
  await (await rested).finished()
  const { add } = new DetailPage(page)
  await add.waitFor()
  // The late parts of the page must be loaded before the connection is cut.
  await page.waitForLoadState('networkidle')
  return { ...opened, add, heard: (text) => heard(page, text) }
}

/** Holds the response of an address until the returned function is called. */
export async function held(page, address, answer) {
  let release
  const gate = new Promise((resolve) => {
    release = resolve
  })
  await page.route(address, async (route) => {
    await gate
    await route.fulfill(answer).catch(() => undefined)
  })
  return release
}
