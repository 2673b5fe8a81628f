// A separate account for a test, so that it does not affect other tests.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { tokensOf } from './answers.mjs'
import { PASSWORD } from './browser.mjs'

export const OWN = 'fresh-Mall-2027'

/** Creates an account as `ga` in the department of a colleague, with his roles. The owner sets the password OWN. */
export async function newcomer(page, { name, beside, ...fields }) {
  const { Token } = await tokensOf(page, 'ga')
  const headers = { Authorization: `Bearer ${Token}` }
  const found = await (await page.request.get(`/api/Account?Keyword=${beside}`, { headers })).json()
  const { Department, Roles } = found.MsgBody.Items.find(({ UserName }) => UserName === beside)
  const data = { UserName: name, DepartmentId: Department.Id, RoleIds: Roles.map(({ Id }) => Id), Invite: 'code', Password: PASSWORD, ...fields }
  const opened = await (await page.request.post('/api/Account', { headers: { ...headers, 'Idempotency-Key': randomUUID() }, data })).json()
  assert.equal(opened.MsgHeader.RetMessage, '账号已新增')
  const own = { UserName: name, Code: opened.MsgBody.Invitation.Code, NewPassword: OWN }
  assert.equal((await (await page.request.post('/api/Account/ResetPassword', { data: own })).json()).MsgHeader.Success, true)
  return opened.MsgBody
}
