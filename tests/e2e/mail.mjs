// The letters of a run, as the file back end of the server wrote them.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The letters to an address. */
export function letters(to) {
  const folder = process.env.MALL_MAIL
  return readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8')).filter((text) => text.includes(`To: ${to}`))
}

/** The code of the letter to an address; the outbox sends it a moment after the page has said so. */
export async function mailedCode(page, to) {
  for (const until = Date.now() + 60_000; Date.now() < until; ) {
    const code = letters(to).map((text) => /验证码为 (\d{6})/.exec(text)?.[1]).find(Boolean)
    if (code) return code
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(resolve)))
  }
  throw new Error(`no letter to ${to}`)
}
