// What axe finds of WCAG 2.1 A and AA on a page.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'

const AXE = readFileSync(createRequire(new URL('../../frontend/package.json', import.meta.url)).resolve('axe-core/axe.min.js'), 'utf8')
const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa']

/** One line per element: the rule, where, and what to do. */
export async function violations(page) {
  // Through the protocol, as the page's own policy lets no other script in.
  await page.evaluate(AXE)
  const { violations: found } = await page.evaluate((values) => globalThis.axe.run(document, { runOnly: { type: 'tag', values }, resultTypes: ['violations'] }), RULES)
  return found.flatMap(({ id, nodes }) => nodes.map(({ target, failureSummary }) => `${id}: ${target.join(' ')} — ${failureSummary.replaceAll(/\s+/g, ' ')}`))
}
