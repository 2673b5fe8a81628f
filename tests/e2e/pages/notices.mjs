import { settled } from '../browser.mjs'

export const INBOX = '/userCenter/user/notice'

/** Reloads the notices until one with this title exists, and returns its link. The outbox and the scheduled jobs create notices later. */
export async function awaitNotice(page, title) {
  const link = page.getByRole('list', { name: '消息' }).getByRole('link', { name: title }).first()
  for (const until = Date.now() + 120_000; Date.now() < until; ) {
    await page.goto(INBOX)
    await settled(page)
    if (await link.waitFor({ timeout: 1000 }).then(() => true, () => false)) return link
  }
  throw new Error(`there is no notice: ${title}`)
}
