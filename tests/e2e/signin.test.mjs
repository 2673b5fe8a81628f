// All sign-in methods: by password, by a mailed code to a new password, by 企业微信.
import assert from 'node:assert/strict'
import { PASSWORD, settled, url } from './browser.mjs'
import { mailedCode } from './mail.mjs'
import { OWN, newcomer } from './newcomer.mjs'
import { CaptchaPiece } from './captcha.mjs'
import { LoginPage } from './pages/login.mjs'
import { journey } from './people.mjs'

const NEW = 'another-Mall-2027'

const signedInAs = (page) => page.evaluate("JSON.parse(localStorage.getItem('UserInfo'))?.User.nname")
const atHome = (page) => page.getByRole('button', { name: '退出登录' }).waitFor()

async function open(people, address, options) {
  const opened = await people(options)
  await opened.page.goto(address)
  await settled(opened.page)
  return opened
}

journey('signing in leads to where one was going, and keeps the account when asked, the password never', async (people) => {
  const { page } = await open(people, '/shop/cart')
  const login = new LoginPage(page)
  await page.getByLabel('记住账号').check()
  await login.fill('buyer', PASSWORD)
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: /购物车/ }).first().waitFor()
  assert.equal(new URL(page.url()).pathname, '/shop/cart')
  assert.ok(!JSON.stringify(await page.context().storageState()).includes(PASSWORD))
})

journey('after five failures the slide is asked for, and solved by the keyboard it lets one in', async (people) => {
  const { page } = await open(people, '/login', { width: 390, height: 844 })
  const wrong = { data: { UserName: 'xl.qian', Password: 'wrong' } }
  for (let failure = 1; failure <= 5; failure += 1) await page.request.post('/api/Account/Login', wrong)
  const login = new LoginPage(page)
  const piece = await CaptchaPiece.of(page)
  await login.fill('xl.qian', PASSWORD)
  await login.submit.click()
  await page.getByText('请先完成滑动验证').waitFor()
  await piece.shown()
  assert.ok(await page.evaluate('document.documentElement.scrollWidth <= 390'))
  await piece.solveByKeys()
  await login.submit.click()
  await page.getByRole('navigation', { name: '底部导航' }).waitFor()
}, { pictures: true })

journey('a forgotten password: account, code, new password, done, and every sign-in ends', async (people) => {
  const { page: elsewhere } = await people({ may: /status of 401/ })
  await newcomer(elsewhere, { name: 'e2e.forgot', NickName: '小忘', Email: 'e2e.forgot@xl.example', beside: 'limited' })
  await new LoginPage(elsewhere).signIn('e2e.forgot', OWN)
  const { page } = await open(people, '/login?redirect=%2Fproduct%2Findex')
  await page.getByRole('link', { name: '忘记密码？' }).click()
  await page.getByRole('heading', { name: '重置密码' }).waitFor()
  await page.getByLabel('账号', { exact: true }).fill('e2e.forgot')
  await page.getByRole('button', { name: '获取验证码' }).click()
  const code = await mailedCode('e2e.forgot@xl.example')
  await page.getByLabel('邮箱验证码').fill(code)
  await page.getByRole('button', { name: '下一步' }).click()

  await page.getByLabel('新密码', { exact: true }).fill(NEW)
  await page.getByLabel('确认新密码', { exact: true }).fill(NEW)
  await page.getByRole('button', { name: '重置密码' }).click()
  await page.getByRole('heading', { name: '密码已重置' }).waitFor()

  await page.getByRole('link', { name: '去登录' }).click()
  const login = new LoginPage(page)
  assert.equal(await login.name.inputValue(), 'e2e.forgot')
  await login.password.fill(NEW)
  await login.submit.click()
  await page.locator('main article').first().waitFor()
  assert.equal(new URL(page.url()).pathname, '/product/index')

  await elsewhere.goto('/userCenter/index')
  await elsewhere.getByRole('dialog', { name: '系统提示' }).waitFor()
})

journey('a passkey is added, stands for the code at the sign-in, and is removed with its own proof', async (people) => {
  const { page } = await people({ width: 390, height: 844 })
  await newcomer(page, { name: 'e2e.passkey', NickName: '小钥', beside: 'limited' })
  // A passkey belongs to a domain, and an IP address is none.
  const mall = url.replace('127.0.0.1', 'localhost')
  const device = await page.context().newCDPSession(page)
  await device.send('WebAuthn.enable')
  const { authenticatorId } = await device.send('WebAuthn.addVirtualAuthenticator', {
    options: { protocol: 'ctap2', transport: 'internal', hasResidentKey: true, hasUserVerification: true, isUserVerified: true },
  })
  const login = new LoginPage(page)
  await page.goto(`${mall}/login?redirect=%2FuserCenter%2Fuser%2Faccount`)
  await login.fill('e2e.passkey', OWN)
  await login.submit.click()

  const factors = page.getByRole('region', { name: '两步验证' })
  const dialog = page.getByRole('dialog')
  await factors.getByRole('button', { name: '添加通行密钥' }).click()
  await dialog.getByLabel('登录密码').fill(OWN)
  await dialog.getByRole('button', { name: '下一步' }).click()
  await dialog.getByLabel('名称').fill('走查手机')
  await dialog.getByRole('button', { name: /添\s?加/ }).click()
  const codes = dialog.getByRole('list', { name: '恢复码' })
  await codes.waitFor()
  assert.equal(await codes.getByRole('listitem').count(), 10)
  await dialog.getByRole('button', { name: /已保存/ }).click()
  await factors.getByText('尚未使用').waitFor()
  assert.ok(await page.evaluate('document.documentElement.scrollWidth <= 390'))

  await page.evaluate('localStorage.clear()')
  await page.goto(`${mall}/login?redirect=%2FuserCenter%2Fuser%2Faccount`)
  await login.fill('e2e.passkey', OWN)
  await login.submit.click()
  await page.getByRole('button', { name: '使用通行密钥' }).click()
  await factors.getByText(/最近使用/).waitFor()
  const { credentials } = await device.send('WebAuthn.getCredentials', { authenticatorId })
  assert.deepEqual(credentials.map(({ rpId, signCount }) => [rpId, signCount]), [['localhost', 2]])

  await factors.getByRole('button', { name: '移除通行密钥 走查手机' }).click()
  await dialog.getByRole('button', { name: '使用通行密钥' }).click()
  await factors.getByText('未开启').waitFor()
})

/** Goes from /login to the page of 企业微信 and selects the user who scans. */
async function scan(page, name, from = '/login') {
  await page.goto(from)
  await page.getByRole('button', { name: '企业微信扫码登录' }).click()
  await page.getByRole('button', { name }).click()
}

journey('a bound member signs in by 企业微信 and goes on, and neither code nor token stays in an address', async (people) => {
  const { page } = await people()
  const addresses = []
  page.on('framenavigated', (frame) => addresses.push(frame.url()))
  await scan(page, /林晓雨/, '/login?redirect=%2Fproduct%2Findex')
  await page.locator('main article').first().waitFor()
  assert.equal(await signedInAs(page), '小林')
  assert.equal(new URL(page.url()).pathname, '/product/index')
  const token = await page.evaluate("JSON.parse(localStorage.getItem('Token'))")
  assert.ok(!addresses.some((address) => address.includes(token)))
  await page.goBack()
  await page.waitForFunction("!location.search.includes('code=')")
})

journey('a member without an account binds one by its password, and scans next time', async (people) => {
  const { page } = await people()
  await scan(page, /许静怡/)
  await page.getByRole('heading', { name: '绑定商城账号' }).waitFor()
  assert.equal(new URL(page.url()).search, '')
  const login = new LoginPage(page)
  const bind = page.getByRole('button', { name: '绑定并登录' })
  await login.fill('finance', 'wrong')
  await bind.click()
  await page.getByText('账号或密码不正确，请重新输入').waitFor()
  await login.fill('finance', PASSWORD)
  await bind.click()
  await atHome(page)
  assert.equal(await signedInAs(page), '许会计')

  const { page: later } = await people()
  await scan(later, /许静怡/)
  await atHome(later)
  assert.equal(await signedInAs(later), '许会计')
})

journey('an answer of 企业微信 is good in the browser that asked for it, and once', async (people) => {
  const { page } = await people()
  let answer
  await page.route('**/wechat-work-demo/**', async (route) => {
    if (route.request().method() !== 'POST') return route.continue()
    answer = (await route.fetch({ maxRedirects: 0 })).headers().location
    return route.fulfill({ contentType: 'text/html', body: '<h1>kept</h1>' })
  })
  await scan(page, /周建国/)
  await page.getByRole('heading', { name: 'kept' }).waitFor()
  const words = '登录请求已失效，或不是由本浏览器发起，请重新发起企业微信登录'

  const { page: stranger } = await people()
  await stranger.goto(answer)
  await stranger.getByRole('alert').getByText(words).waitFor()

  await page.goto(answer)
  await atHome(page)
  await page.evaluate('localStorage.clear()')
  await page.goto(answer)
  await page.getByRole('alert').getByText(words).waitFor()
})
