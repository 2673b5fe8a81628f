// Mocked responses of the server.
import { PASSWORD } from './browser.mjs'

/** Mocks an API address with an envelope. Returns the received requests. */
export async function answer(page, path, body, { success = true, message = '', status = 200, hold } = {}) {
  const asked = []
  await page.route(`**${path}*`, async (route) => {
    asked.push(new URL(route.request().url()))
    await hold
    await route.fulfill({ status, json: { MsgHeader: { Success: success, RetCode: success ? 'ok' : 'refused', RetMessage: message, RequestId: 'e2e' }, MsgBody: body } })
  })
  return asked
}

/** A promise that the test resolves. */
export function gate() {
  let open
  const opened = new Promise((resolve) => {
    open = resolve
  })
  return { opened, open }
}

/** A token in the server's format, without a valid signature. */
export function token(claims = {}) {
  const text = JSON.stringify({ uid: '7', utype: 'NU', nname: '小林', Enterprise: { Id: '1', Name: '示例公司' }, Role: [], ...claims })
  return `h.${Buffer.from(text).toString('base64url')}.s`
}

/** Replaces the access token by one that the server rejects as expired. */
export const breakToken = (page) =>
  page.evaluate(() => localStorage.setItem('Token', JSON.stringify(`${JSON.parse(localStorage.getItem('Token')).slice(0, -4)}AAAA`)))

/** Returns real tokens of this account, for a mocked response. */
export async function tokensOf(page, name) {
  const answered = await page.request.post('/api/Account/Login', { data: { UserName: name, Password: PASSWORD } })
  return (await answered.json()).MsgBody
}
