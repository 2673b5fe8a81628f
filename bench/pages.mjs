// How soon each screen shows what it is for, beside its budget: median of five cold visits at 10 Mbit/s, 40 ms, CPU × 4.
//   python -m tests.e2e -- node bench/pages.mjs [--runs 5] [--routes /,/product/index]
import { parseArgs } from 'node:util'
import { launch, profile, tab } from '../tests/e2e/browser.mjs'
import { LoginPage } from '../tests/e2e/pages/login.mjs'
import { publicProduct } from '../tests/e2e/routes.mjs'

const { values } = parseArgs({ options: { runs: { type: 'string', default: '5' }, routes: { type: 'string' } } })

const STORE = { lcp: 1.5, calls: 3 }
const DESK = { lcp: 2.8, calls: 3 }
const SCREENS = [
  { path: '/', who: 'visitor', content: 'main article', ...STORE, calls: 6 },
  { path: '/', who: 'buyer', content: 'main article', ...STORE, calls: 6 },
  { path: '/login', who: 'visitor', content: 'main form', ...STORE },
  { path: '/product/index', who: 'buyer', content: 'main article', ...STORE },
  { path: `/${publicProduct().code}.html`, who: 'buyer', content: 'main h1', ...STORE },
  { path: '/shop/cart', who: 'buyer', content: 'main input[type="checkbox"]', ...STORE },
  { path: '/userCenter/index', who: 'buyer', content: 'main section', ...DESK },
  { path: '/userCenter/order/index', who: 'buyer', content: 'main article', ...DESK },
].filter(({ path }) => !values.routes || values.routes.split(',').includes(path))

/** The last candidate is the largest paint; shifts add up; calls count until the content appears. */
const watchPage = (content) => {
  window.seen = { lcp: 0, cls: 0, contentAt: 0 }
  new PerformanceObserver((list) => {
    window.seen.lcp = list.getEntries().at(-1).startTime
  }).observe({ type: 'largest-contentful-paint', buffered: true })
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) if (!entry.hadRecentInput) window.seen.cls += entry.value
  }).observe({ type: 'layout-shift', buffered: true })
  const observer = new MutationObserver(() => {
    if (!document.querySelector(content)) return
    window.seen.contentAt = performance.now()
    observer.disconnect()
  })
  observer.observe(document, { childList: true, subtree: true })
}

/**
 * Ends when no resource has ended for a second. Playwright's `networkidle` sometimes never comes under an emulated network.
 */
const quiet = () =>
  new Promise((resolve) => {
    let timer
    const again = () => {
      clearTimeout(timer)
      timer = setTimeout(resolve, 1000)
    }
    new PerformanceObserver(again).observe({ type: 'resource', buffered: true })
    again()
  })

const measured = () => {
  const resources = performance.getEntriesByType('resource')
  const scripts = resources.filter(({ name }) => name.endsWith('.js'))
  return {
    ...window.seen,
    calls: resources.filter(({ name, startTime }) => name.includes('/api/') && startTime < window.seen.contentAt).length,
    kilobytes: scripts.reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0) / 1024,
  }
}

const median = (numbers) => numbers.toSorted((one, other) => one - other)[Math.floor(numbers.length / 2)]

async function once(browser, { path, content }, storageState) {
  const context = await profile(browser, { storageState })
  const { page } = await tab(context)
  const devtools = await context.newCDPSession(page)
  await devtools.send('Network.enable')
  await devtools.send('Network.emulateNetworkConditions', { offline: false, latency: 40, downloadThroughput: 10e6 / 8, uploadThroughput: 10e6 / 8 })
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: 4 })
  await page.addInitScript(watchPage, content)
  await page.goto(path)
  await page.locator(content).first().waitFor()
  await page.evaluate(quiet)
  const result = await page.evaluate(measured)
  await context.close()
  return result
}

const browser = await launch()
const context = await profile(browser)
const { page } = await tab(context)
await new LoginPage(page).signIn('buyer')
const buyer = await context.storageState()
await context.close()

const line = (cells) => `${cells.map((cell, index) => (index < 2 ? String(cell).padEnd(26) : String(cell).padStart(17))).join('')}\n`
process.stdout.write(line(['screen', 'who', 'LCP s', 'content s', 'calls', 'CLS', 'JS KB']))
for (const screen of SCREENS) {
  const runs = []
  for (let run = 0; run < Number(values.runs); run += 1) runs.push(await once(browser, screen, screen.who === 'buyer' ? buyer : undefined))
  const of = (name) => median(runs.map((one) => one[name]))
  const seconds = (name) => (of(name) / 1000).toFixed(2)
  const late = Number(seconds('lcp')) > screen.lcp
  process.stdout.write(
    line([screen.path, screen.who, `${late ? '! ' : ''}${seconds('lcp')} / ${screen.lcp}`, seconds('contentAt'), `${of('calls')} / ${screen.calls}`, of('cls').toFixed(3), of('kilobytes').toFixed(0)]),
  )
}
await browser.close()
