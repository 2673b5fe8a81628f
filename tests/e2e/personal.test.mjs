// 个人中心: profile, contacts and sessions. password.test.tsx covers the password.
import assert from 'node:assert/strict'
import { heard } from './browser.mjs'
import { mailedCode, mailedUndo } from './mail.mjs'
import { OWN, newcomer } from './newcomer.mjs'
import { LoginPage } from './pages/login.mjs'
import { journey } from './people.mjs'

const ACCOUNT = '/userCenter/user/account'
const PNG = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAIAAAACCAIAAAD91JpzAAAAEElEQVR4nGMQCbsJRAwQCgAgTgUNe51bcAAAAABJRU5ErkJggg==', 'base64')
const part = (page, name) => page.getByRole('region', { name })

/** Waits for the prompt to sign in again, or for the login form it leads to if the session had ended before the page rendered. */
const signedOut = (page) =>
  page.getByText(/重新登录/).or(page.getByRole('heading', { name: '账号登录' })).first().waitFor()

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
  await dialog.getByRole('textbox', { name: '验证码' }).fill(await mailedCode(to))
  if (what === '邮箱') await dialog.locator('input[type=password]').fill(OWN)
  await dialog.getByRole('button', { name: '确认' }).click()
  await heard(page, `${what}已更换`)
  await contacts.getByText(value).waitFor()
}

journey('a person keeps his account: other sign-ins, name, face, number and address; the address before undoes its change, and every sign-in ends', async (people) => {
  const { page } = await own(people, 'e2e.self', '小单')
  const { page: elsewhere } = await people({ may: /status of 401/ })
  await new LoginPage(elsewhere).signIn('e2e.self', OWN)
  await page.goto(ACCOUNT)
  const devices = part(page, '登录设备')
  await devices.getByText('当前登录').waitFor()
  assert.equal(await devices.getByRole('listitem').count(), 2)
  await devices.getByRole('button', { name: '退出其他登录' }).click()
  await page.getByRole('tooltip').getByRole('button', { name: '确定' }).click()
  await heard(page, '已退出其他 1 处登录')
  await elsewhere.goto(ACCOUNT)
  await signedOut(elsewhere)

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

  const { page: owner } = await people()
  await owner.goto(await mailedUndo('e2e.self@xl.example'))
  await owner.getByRole('heading', { name: '撤销更换邮箱' }).waitFor()
  await owner.getByRole('button', { name: '确认撤销' }).click()
  await owner.getByText('账号 e2e.self 的邮箱已恢复为 e***@xl.example').waitFor()
  await page.reload()
  await signedOut(page)
}, { pictures: true })
