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

export const callsBeforeContent = () =>
  performance
    .getEntriesByType('resource')
    .filter(({ name, startTime }) => name.includes('/api/') && startTime < window.contentAt)
    .map(({ name }) => name)

/** Opens an address and waits for its content. */
export async function visit(people, { path, content }, options) {
  const opened = await people(options)
  await opened.context.addInitScript(watchPage, content)
  await opened.page.goto(path)
  await opened.page.locator(content).first().waitFor()
  return opened
}
