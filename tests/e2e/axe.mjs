// Runs axe with WCAG 2.1 A and AA on a page.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'

const AXE = readFileSync(createRequire(new URL('../../frontend/package.json', import.meta.url)).resolve('axe-core/axe.min.js'), 'utf8')
const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa']

/** Returns one line per element within `part`, a selector: rule, selector and fix. */
export async function violations(page, part = ':root') {
  // Colours in a transition would give false findings.
  await page.evaluate(() => Promise.all(document.getAnimations().filter((one) => one.effect.getComputedTiming().iterations < Infinity).map((one) => one.finished.catch(() => undefined))))
  // Injected through the DevTools protocol, because the CSP of the page permits no other scripts.
  await page.evaluate(AXE)
  const { violations: found } = await page.evaluate(
    ([within, values]) => globalThis.axe.run(within, { runOnly: { type: 'tag', values }, resultTypes: ['violations'] }),
    [part, RULES],
  )
  return found.flatMap(({ id, nodes }) => nodes.map(({ target, failureSummary }) => `${id}: ${target.join(' ')} — ${failureSummary.replaceAll(/\s+/g, ' ')}`))
}
