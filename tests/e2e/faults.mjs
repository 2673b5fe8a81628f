// A product's page as a place where things go wrong: a clock that stands still, answers of our own.
import { readFileSync } from 'node:fs'
import { heard } from './browser.mjs'
import { DetailPage } from './pages/shop.mjs'
import { publicProduct } from './routes.mjs'

export const PRODUCT = `/${publicProduct().code}.html`
export const ADD = '**/api/ShoppingCart/AddToCart'
export const refusal = (RetMessage) => ({ json: { MsgHeader: { Success: false, RetCode: 'failed', RetMessage }, MsgBody: null } })
export const done = { json: { MsgHeader: { Success: true }, MsgBody: null } }

/** What the browser says of an answer that the test itself spoils. */
export const SPOILT = /Failed to load resource|^5\d\d: /

const { chunks } = JSON.parse(readFileSync(new URL('../../static/app/chunk-groups.json', import.meta.url), 'utf8'))
/** The address of a chunk of the page by its name in the code. */
export const chunk = (name) => `**/${chunks[name]}`

/** A product's page; `frozen` holds the page's clock, which then moves by `page.clock.runFor` alone. */
export async function product(people, { frozen = false, ...options } = {}) {
  const opened = await people(options)
  const { page } = opened
  if (frozen) await page.clock.install()
  // The code of rare dialogs comes when the page is at rest.
  const rested = page.waitForResponse(chunk('trouble'))
  await page.goto(PRODUCT)
  if (frozen) await page.clock.runFor(5000)
  await (await rested).finished()
  const { add } = new DetailPage(page)
  await add.waitFor()
  await page.waitForLoadState('networkidle')
  if (frozen) await page.clock.pauseAt((await page.evaluate('Date.now()')) + 1000)
  return { ...opened, add, toasts: (text) => page.getByRole('status').getByText(text, { exact: true }), heard: (text) => heard(page, text) }
}

/** Holds the answer to an address until what this returns is called. */
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
