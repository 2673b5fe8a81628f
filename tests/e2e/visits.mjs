// One visit of an address: its content, the requests before it, the layout shifts.

/** Records when the content appears, and sums up the layout shifts as the browser reports them. */
const watchPage = (content) => {
  window.shifted = 0
  window.shifts = []
  const observer = new MutationObserver(() => {
    if (!document.querySelector(content)) return
    window.contentAt = performance.now()
    observer.disconnect()
  })
  observer.observe(document, { childList: true, subtree: true })
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      if (entry.hadRecentInput) continue
      window.shifted += entry.value
      for (const { node, previousRect, currentRect } of entry.sources)
        window.shifts.push(`${node?.nodeName}.${node?.className} ${JSON.stringify(previousRect)} → ${JSON.stringify(currentRect)}`)
    }
  }).observe({ type: 'layout-shift', buffered: true })
}

/** The two counts of the header. They run beside the calls of every page, so chance decides whether they begin before its content. */
const COUNTS = ['/api/ShoppingCart/Count', '/api/Notice/UnreadCount']

/** Returns the page's own calls before its content, and the header's counts of the whole visit. */
export async function callsOf(page) {
  const calls = await page.evaluate(() =>
    performance
      .getEntriesByType('resource')
      .filter(({ name }) => name.includes('/api/'))
      .map(({ name, startTime }) => ({ path: new URL(name).pathname, isEarly: startTime < window.contentAt })),
  )
  const isCount = ({ path }) => COUNTS.includes(path)
  const pathsOf = (some) => some.map(({ path }) => path)
  return { own: pathsOf(calls.filter((one) => one.isEarly && !isCount(one))), counts: pathsOf(calls.filter(isCount)) }
}

/** Opens an address and waits for its content. */
export async function visit(people, { path, content }, options) {
  const opened = await people(options)
  await opened.context.addInitScript(watchPage, content)
  await opened.page.goto(path)
  await opened.page.locator(content).first().waitFor()
  return opened
}
