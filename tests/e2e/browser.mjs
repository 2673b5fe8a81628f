// A browser, a new profile for each person, and an account of everything that went wrong in the page.
import assert from 'node:assert/strict'
import { mkdirSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'

const { chromium } = createRequire(new URL('../../frontend/package.json', import.meta.url))('playwright-core')

const FAILURES = fileURLToPath(new URL('../../var/e2e/failures', import.meta.url))

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
  return { faults, asked, calls: () => asked.filter((line) => line.includes(' /api/')) }
}

/** A page with its own profile; `width` as the people have it. Violations of the page's policy count as console errors. */
export async function open(browser, { width = 1440, height = 900, storageState } = {}) {
  const context = await browser.newContext({ viewport: { width, height }, locale: 'zh-CN', timezoneId: 'Asia/Shanghai', baseURL: url, storageState })
  await context.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', (event) => {
      console.error(`securitypolicyviolation: ${event.violatedDirective} ${event.blockedURI} ${event.sourceFile}:${event.lineNumber}`)
    })
  })
  const page = await context.newPage()
  page.setDefaultTimeout(15_000)
  const seen = watch(page)
  return { context, page, ...seen, well: () => assert.deepEqual(seen.faults, []) }
}

/**
 * A test with a browser of its own. `people(options)` opens a page with its own profile; at the end every page must have been well.
 * When it fails, each page's picture is left in var/e2e/failures.
 */
export function journey(name, walk) {
  test(name, async () => {
    const browser = await launch()
    const opened = []
    const people = async (options) => {
      opened.push(await open(browser, options))
      return opened.at(-1)
    }
    try {
      await walk(people)
      for (const one of opened) one.well()
    } catch (error) {
      mkdirSync(FAILURES, { recursive: true })
      for (const [index, { page, faults }] of opened.entries()) {
        await page.screenshot({ path: join(FAILURES, `${name}-${index}.png`), fullPage: true }).catch(() => undefined)
        process.stdout.write(`${page.url()}\n${faults.join('\n')}\n`)
      }
      throw error
    } finally {
      await browser.close()
    }
  })
}
