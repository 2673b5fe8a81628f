// Answers of the server that a test gives in its place.
import { PASSWORD } from './browser.mjs'

/** Answers an address of the API with an envelope; returns what was asked of it. */
export async function answer(page, path, body, { success = true, message = '', status = 200, hold } = {}) {
  const asked = []
  await page.route(`**${path}*`, async (route) => {
    asked.push(new URL(route.request().url()))
    await hold
    await route.fulfill({ status, json: { MsgHeader: { Success: success, RetCode: success ? 'ok' : 'refused', RetMessage: message, RequestId: 'e2e' }, MsgBody: body } })
  })
  return asked
}

/** Something that is awaited until the test lets it happen. */
export function gate() {
  let open
  const opened = new Promise((resolve) => {
    open = resolve
  })
  return { opened, open }
}

/** A token as the server would write it; nobody signs it. */
export function token(claims = {}) {
  const text = JSON.stringify({ uid: '7', utype: 'NU', nname: '小林', Enterprise: { Id: '1', Name: '示例公司' }, Role: [], ...claims })
  return `h.${Buffer.from(text).toString('base64url')}.s`
}

/** Makes the access token one that the server refuses, as its time would. */
export const breakToken = (page) =>
  page.evaluate(() => localStorage.setItem('Token', JSON.stringify(`${JSON.parse(localStorage.getItem('Token')).slice(0, -4)}AAAA`)))

/** Real tokens of this account, for an answer that the test gives otherwise. */
export async function tokensOf(page, name) {
  const answered = await page.request.post('/api/Account/Login', { data: { UserName: name, Password: PASSWORD } })
  return (await answered.json()).MsgBody
}
