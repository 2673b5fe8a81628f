// The mails of a run, as written by the file mail back end of the server.
import { on } from 'node:events'
import { readdirSync, readFileSync, watch } from 'node:fs'
import { join } from 'node:path'

/** Returns the mails to an address. */
export function letters(to) {
  const folder = process.env.MALL_MAIL
  return readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8')).filter((text) => text.includes(`To: ${to}`))
}

/** Returns what `find` finds in the folder of the mails. Looks again whenever a mail has come, because the outbox sends them with a short delay. */
export async function awaitMail(find, what) {
  const signal = AbortSignal.timeout(60_000)
  const folder = watch(process.env.MALL_MAIL)
  // Listens from here on, so that no mail comes unseen between the first look and the wait.
  const changes = on(folder, 'change', { signal })
  try {
    for (let found = find(); ; found = find()) {
      if (found) return found
      await changes.next()
    }
  } catch (error) {
    throw error.name === 'AbortError' ? new Error(`no letter ${what}`) : error
  } finally {
    folder.close()
  }
}

/** Returns the match of a pattern in a mail to an address. */
const mailed = (to, pattern) => awaitMail(() => letters(to).map((text) => pattern.exec(text)?.[1]).find(Boolean), `to ${to}`)

/** Returns the code in the mail to an address. */
export const mailedCode = (to) => mailed(to, /验证码为 (\d{6})/)

/** Returns the one-time link in the mail to an address. */
export const mailedLink = (to) => mailed(to, /(http\S+#account=\S+?&code=[0-9A-Z]{12})/)

/** Returns the path of the page that undoes a change of the mail address, from the mail to the previous address. */
export const mailedUndo = (to) => mailed(to, /的邮箱已于[\s\S]*?http[^/]+\/\/[^/]+(\/contactUndo#key=\S+)/)
