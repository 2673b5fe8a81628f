// Somebody of a walk's own, so that what he does disturbs no other walk.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { tokensOf } from './answers.mjs'

export const OWN = 'fresh-Mall-2027'

/** An account that `ga` opens beside a colleague, in his department and with his roles, and whose owner has set the password OWN. */
export async function newcomer(page, { name, beside, ...fields }) {
  const { Token } = await tokensOf(page, 'ga')
  const headers = { Authorization: `Bearer ${Token}` }
  const found = await (await page.request.get(`/api/Account?Keyword=${beside}`, { headers })).json()
  const { Department, Roles } = found.MsgBody.Items.find(({ UserName }) => UserName === beside)
  const data = { UserName: name, DepartmentId: Department.Id, RoleIds: Roles.map(({ Id }) => Id), Invite: 'code', ...fields }
  const opened = await (await page.request.post('/api/Account', { headers: { ...headers, 'Idempotency-Key': randomUUID() }, data })).json()
  assert.equal(opened.MsgHeader.RetMessage, '账号已新增')
  const own = { UserName: name, Code: opened.MsgBody.Invitation.Code, NewPassword: OWN }
  assert.equal((await (await page.request.post('/api/Account/ResetPassword', { data: own })).json()).MsgHeader.Success, true)
  return opened.MsgBody
}
