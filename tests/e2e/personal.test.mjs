// 个人中心: profile, contacts, sessions and password.
import assert from 'node:assert/strict'
import { heard } from './browser.mjs'
import { mailedCode, mailedUndo } from './mail.mjs'
import { OWN, newcomer } from './newcomer.mjs'
import { LoginPage } from './pages/login.mjs'
import { journey } from './people.mjs'

const ACCOUNT = '/userCenter/user/account'
const OTHER = 'changed-Mall-2028'
const PNG = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAIAAAACCAIAAAD91JpzAAAAEElEQVR4nGMQCbsJRAwQCgAgTgUNe51bcAAAAABJRU5ErkJggg==', 'base64')
const part = (page, name) => page.getByRole('region', { name })

/** Opens the page of an account created for this test, signed in with its own profile. */
async function own(people, name, nickname) {
  const opened = await people({ height: 1200, may: /status of 40[01]/ })
  await newcomer(opened.page, { name, NickName: nickname, Email: `${name}@xl.example`, beside: 'limited' })
  await new LoginPage(opened.page).signIn(name, OWN)
  return opened
}

/** Changes the mobile number or mail address with the code sent to `to`. A new mail address also needs the password. */
async function change(page, what, value, to) {
  const contacts = part(page, '联系方式与安全')
  await contacts.getByRole('button', { name: new RegExp(`(更换|设置)${what}`) }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel(`新${what}`).fill(value)
  await dialog.getByRole('button', { name: '获取验证码' }).click()
  await dialog.getByText(/验证码已发送至/).waitFor()
  await dialog.getByRole('textbox', { name: '验证码' }).fill(await mailedCode(page, to))
  if (what === '邮箱') await dialog.locator('input[type=password]').fill(OWN)
  await dialog.getByRole('button', { name: '确认' }).click()
  await heard(page, `${what}已更换`)
  await contacts.getByText(value).waitFor()
}

journey('a person names himself, shows his face, and changes number and address by a code each', async (people) => {
  const { page } = await own(people, 'e2e.self', '小单')
  await page.goto(ACCOUNT)
  const basic = part(page, '基本资料')
  await basic.getByLabel('昵称').fill('单工')
  await basic.getByLabel('职务').fill('工艺员')
  await basic.getByRole('button', { name: '保存' }).click()
  await heard(page, '个人信息已保存')
  await basic.getByLabel('选择头像图片').setInputFiles({ name: '头像.png', mimeType: 'image/png', buffer: PNG })
  await heard(page, '头像已更新')
  const face = basic.getByAltText('我的头像')
  await face.evaluate((image) => image.decode())

  await change(page, '手机号码', '13800138111', 'e2e.self@xl.example')
  await change(page, '邮箱', 'e2e.moved@xl.example', 'e2e.moved@xl.example')

  await page.reload()
  assert.equal(await basic.getByLabel('职务').inputValue(), '工艺员')
  await face.evaluate((image) => image.decode())
  assert.match(await part(page, '联系方式与安全').innerText(), /13800138111[\s\S]*e2e\.moved@xl\.example/)
  await page.getByText('单工').first().waitFor()
})

journey('the address before undoes a change by the link in its letter, and every sign-in ends', async (people) => {
  const { page } = await own(people, 'e2e.robbed', '失主')
  await page.goto(ACCOUNT)
  await change(page, '邮箱', 'e2e.thief@xl.example', 'e2e.thief@xl.example')

  const { page: owner } = await people()
  await owner.goto(await mailedUndo(owner, 'e2e.robbed@xl.example'))
  await owner.getByRole('heading', { name: '撤销更换邮箱' }).waitFor()
  await page.reload()
  await part(page, '联系方式与安全').getByText('e2e.thief@xl.example').waitFor()
  await owner.getByRole('button', { name: '确认撤销' }).click()
  await owner.getByText('账号 e2e.robbed 的邮箱已恢复为 e***@xl.example').waitFor()

  await page.reload()
  // The prompt, or the page it leads to, if the session had ended before the page rendered.
  await page.getByText(/重新登录/).or(page.getByRole('heading', { name: '账号登录' })).first().waitFor()
  await owner.getByRole('link', { name: '重置登录密码' }).click()
  await owner.getByRole('heading', { name: '重置密码' }).waitFor()
})

journey('he signs out where he does not know himself to be, and a new password is none of the last', async (people) => {
  const { page } = await own(people, 'e2e.keys', '钥匙')
  const { page: elsewhere } = await people({ may: /status of 401/ })
  await new LoginPage(elsewhere).signIn('e2e.keys', OWN)

  await page.goto(ACCOUNT)
  const devices = part(page, '登录设备')
  await devices.getByText('当前登录').waitFor()
  assert.equal(await devices.getByRole('listitem').count(), 2)
  await devices.getByRole('button', { name: '退出其他登录' }).click()
  await page.getByRole('tooltip').getByRole('button', { name: '确定' }).click()
  await heard(page, '已退出其他 1 处登录')
  await elsewhere.goto(ACCOUNT)
  await elsewhere.getByText(/重新登录/).first().waitFor()
  assert.equal(await devices.getByRole('listitem').count(), 1)

  await page.goto('/userCenter/user/password')
  const strength = page.getByRole('meter', { name: '密码强度' })
  const set = async (present, wanted) => {
    await page.getByLabel('原密码').fill(present)
    await page.getByLabel('新密码', { exact: true }).fill(wanted)
    await page.getByLabel('确认新密码').fill(wanted)
    await page.getByRole('button', { name: '确认修改' }).click()
  }
  await page.getByLabel('新密码', { exact: true }).fill('abc12345')
  await strength.and(page.locator('[aria-valuetext="弱"]')).waitFor()
  await set(OWN, OTHER)
  await heard(page, '密码已修改，其他设备需重新登录')
  await set(OTHER, OWN)
  await page.locator('.ant-form-item-explain-error', { hasText: /最近.*密码/ }).waitFor()
  await page.goto(ACCOUNT)
  await devices.getByText('当前登录').waitFor()
})
