// A browser, a new profile per user, and a log of all page errors.
import assert from 'node:assert/strict'
import { createRequire } from 'node:module'

const { chromium } = createRequire(new URL('../../frontend/package.json', import.meta.url))('playwright-core')

const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // Fewer processes: each of its own passes every picture and answer on, a fourteenth of the browser's time.
  '--in-process-gpu',
  '--enable-features=NetworkServiceInProcess2',
]

export const url = process.env.MALL_URL
export const PASSWORD = 'demo-Mall-2026'

/** SLOW=4: throttles the CPU of the page by this factor. */
const SLOW = Number(process.env.SLOW ?? 1)
/** DELAY=400: each request of a page waits up to this many milliseconds, at random. It shows the tests that act before the page is ready. */
export const DELAY = Number(process.env.DELAY ?? 0)

/** Turns off V8's two optimizing compilers. A walk leaves a page before their code has saved the time of its compilation. */
const UNOPTIMIZED = '--js-flags=--no-opt --no-maglev'
/** Drawing the mall's pictures takes a sixth of the browser's time. */
const NO_PICTURES = '--blink-settings=imagesEnabled=false'

/** Starts Chromium. Without `pictures` no page loads one; without `optimizes` no script is optimized while it runs. */
export const launch = ({ pictures = true, optimizes = true } = {}) =>
  chromium.launch({
    executablePath: process.env.CHROMIUM,
    headless: true,
    args: [...FLAGS, ...(pictures ? [] : [NO_PICTURES]), ...(optimizes ? [] : [UNOPTIMIZED])],
  })

/** The errors of a page. The list is empty if there are none. */
export function watch(page) {
  const faults = []
  const asked = []
  page.on('console', (message) => {
    if (message.type() === 'error') faults.push(`console: ${message.text()} (${message.location().url})`)
  })
  page.on('pageerror', (error) => faults.push(`error: ${error.message}`))
  page.on('response', (response) => {
    if (response.status() >= 500) faults.push(`${response.status()}: ${response.url()}`)
  })
  page.on('request', (request) => asked.push(`${request.method()} ${new URL(request.url()).pathname}`))
  return { faults, asked }
}

/** CSP violations count as console errors. Announcements are recorded, because a toast may disappear before a slow test reads it. */
function listen() {
  document.addEventListener('securitypolicyviolation', (event) => {
    console.error(`securitypolicyviolation: ${event.violatedDirective} ${event.blockedURI} ${event.sourceFile}:${event.lineNumber}`)
  })
  globalThis.announced = []
  new MutationObserver((records) => {
    for (const { target, addedNodes } of records) {
      if (target.role === 'status') for (const { textContent } of addedNodes) globalThis.announced.push(textContent)
    }
  }).observe(document, { childList: true, subtree: true })
}

/** A new profile with a common window width. */
export async function profile(browser, { width = 1440, height = 900, storageState, baseURL = url } = {}) {
  const context = await browser.newContext({
    viewport: { width, height },
    locale: 'zh-CN',
    timezoneId: 'Asia/Shanghai',
    baseURL,
    reducedMotion: 'reduce',
    storageState,
  })
  context.setDefaultTimeout(40_000)
  await context.addInitScript(listen)
  if (DELAY) {
    await context.route('**/*', async (route) => {
      await new Promise((resolve) => setTimeout(resolve, Math.random() * DELAY))
      await route.fallback().catch(() => undefined)
    })
  }
  return context
}

/** A page of a profile. An error that matches `may` is ignored. */
export async function tab(context, { may } = {}) {
  const page = await context.newPage()
  if (SLOW > 1) await (await context.newCDPSession(page)).send('Emulation.setCPUThrottlingRate', { rate: SLOW })
  const seen = watch(page)
  return { context, page, ...seen, well: () => assert.deepEqual(seen.faults.filter((fault) => !may?.test(fault)), []) }
}

/**
 * Returns the next response of this address as {request, body}. The response is intercepted, because the browser may drop the body of a
 * finished response before the test reads it.
 */
export async function firstAnswer(page, address) {
  let resolve
  const first = new Promise((done) => {
    resolve = done
  })
  await page.route(address, async (route) => {
    const response = await route.fetch().catch(() => null)
    // The page is already closed.
    if (!response) return
    resolve({ request: route.request(), body: await response.json() })
    await route.fulfill({ response }).catch(() => undefined)
  })
  return { first }
}

/** Playwright would look at every frame. Each look at `innerText` computes the layout. */
const POLL = { polling: 100 }

/** Waits until the page has announced `text`. */
export const heard = (page, text) =>
  page.waitForFunction(
    (wanted) => {
      const at = globalThis.announced.findIndex((one) => one.includes(wanted))
      return at >= 0 && globalThis.announced.splice(at, 1)
    },
    text,
    POLL,
  )

/**
 * Waits until a page opened by address is complete: it has content and nothing is loading. After a click the previous page is complete too,
 * so wait for a heading or region of the new page first.
 */
export const settled = (page) =>
  page.waitForFunction(() => !document.querySelector('[aria-busy="true"]') && document.querySelector('main')?.innerText.trim(), undefined, POLL)
