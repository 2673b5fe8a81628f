// A browser, a new profile for each person, and an account of everything that went wrong in the page.
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
]

export const url = process.env.MALL_URL
export const PASSWORD = 'demo-Mall-2026'

/** SLOW=4: the page's processor is so many times slower than this machine's. */
const SLOW = Number(process.env.SLOW ?? 1)

export const launch = () => chromium.launch({ executablePath: process.env.CHROMIUM, headless: true, args: FLAGS })

/** What a page must not do: the list is empty when all was well. */
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

/** Violations of the page's policy count as console errors; what the page announces is kept, since a toast may go before a slow test looks. */
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

/** A profile of its own, in the width that people have. */
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
  return context
}

/** A page of a profile; a fault that matches `may` is none. */
export async function tab(context, { may } = {}) {
  const page = await context.newPage()
  if (SLOW > 1) await (await context.newCDPSession(page)).send('Emulation.setCPUThrottlingRate', { rate: SLOW })
  const seen = watch(page)
  return { context, page, ...seen, well: () => assert.deepEqual(seen.faults.filter((fault) => !may?.test(fault)), []) }
}

/** Waits until the page has announced `text`. */
export const heard = (page, text) =>
  page.waitForFunction((wanted) => {
    const at = globalThis.announced.findIndex((one) => one.includes(wanted))
    return at >= 0 && globalThis.announced.splice(at, 1)
  }, text)

/**
 * Waits until a page opened by its address is whole: something in it, nothing of it on its way. After a click the page of before
 * is whole too: wait for the new page's own heading or region first.
 */
export const settled = (page) => page.waitForFunction(() => document.querySelector('main')?.innerText.trim() && !document.querySelector('[aria-busy="true"]'))
