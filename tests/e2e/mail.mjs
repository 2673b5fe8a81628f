// The mails of a run, as written by the file mail back end of the server.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Returns the mails to an address. */
export function letters(to) {
  const folder = process.env.MALL_MAIL
  return readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8')).filter((text) => text.includes(`To: ${to}`))
}

/** Returns the match of a pattern in a mail to an address. Retries, because the outbox sends mails with a short delay. */
async function mailed(page, to, pattern) {
  for (const until = Date.now() + 60_000; Date.now() < until; ) {
    const found = letters(to).map((text) => pattern.exec(text)?.[1]).find(Boolean)
    if (found) return found
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(resolve)))
  }
  throw new Error(`no letter to ${to}`)
}

/** Returns the code in the mail to an address. */
export const mailedCode = (page, to) => mailed(page, to, /验证码为 (\d{6})/)

/** Returns the one-time link in the mail to an address. */
export const mailedLink = (page, to) => mailed(page, to, /(http\S+#account=\S+?&code=[0-9A-Z]{12})/)

/** Returns the path of the page that undoes a change of the mail address, from the mail to the previous address. */
export const mailedUndo = (page, to) => mailed(page, to, /的邮箱已于[\s\S]*?http[^/]+\/\/[^/]+(\/contactUndo#key=\S+)/)
