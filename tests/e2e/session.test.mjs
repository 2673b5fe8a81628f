// Sessions: sign-in by key, as a customer, refresh, several tabs, and sign-out.
import assert from 'node:assert/strict'
import { answer, breakToken, gate, tokensOf } from './answers.mjs'
import { heard } from './browser.mjs'
import { LoginPage } from './pages/login.mjs'
import { addressToActAs } from './pages/office.mjs'
import { journey } from './people.mjs'

const KEY = '/api/Account/LoginBySession'
const hello = (page) => page.getByRole('button', { name: '退出登录' })
const visitor = (page) => page.getByRole('link', { name: '请登录' })
const path = (page) => new URL(page.url()).pathname + new URL(page.url()).search
const signIn = (page) => page.getByRole('heading', { name: '账号登录' })
const kept = (page) => page.evaluate(() => Object.keys(localStorage).filter((key) => key === 'Token' || key === 'UserInfo'))

journey('staff sign in as a customer by a key that works once, and end it', async (people) => {
  const office = await people()
  const address = await addressToActAs(office.page, 'buyer', '客户来电，协助对账')
  const { page } = await people()
  await page.goto('/test/cookie')
  await page.evaluate(() => localStorage.setItem('rememberedAccount', '"somebody"'))
  await page.goto(address)
  const banner = page.getByRole('region', { name: '代客户登录' })
  await banner.getByText('客户来电，协助对账').waitFor()
  await hello(page).waitFor()
  assert.equal(path(page), '/')
  assert.equal(await page.evaluate("localStorage.getItem('rememberedAccount')"), null)
  for (const where of ['/shop/cart', '/userCenter/index', '/robotVerify']) {
    await page.goto(where)
    await banner.getByRole('timer').waitFor()
    assert.match(await banner.innerText(), /正以 小林/)
  }
  await banner.getByRole('button', { name: '结束代登录' }).click()
  await banner.waitFor({ state: 'detached' })
  // The page begins anew at the root: a look at the moment of this would fail.
  await page.waitForFunction(() => !('Token' in localStorage) && !('UserInfo' in localStorage))
  await page.goto(address)
  await heard(page, '自动登录失败，请手动登录')
  await visitor(page).waitFor()
  assert.equal(path(page), '/')
})

journey('going back does nothing while a key signs in, and leads to no spent key afterwards', async (people) => {
  const { page } = await people()
  const { opened, open } = gate()
  const asked = await answer(page, KEY, await tokensOf(page, 'buyer'), { hold: opened })
  await page.goto('/test/cookie')
  await page.getByRole('heading', { level: 1 }).waitFor()
  // The text is on the page before its program is; from the call on, the page holds the way back.
  const called = page.waitForRequest(`**${KEY}*`)
  await page.goto('/login?sessionKey=k&redirectUrl=/test/token', { waitUntil: 'commit' })
  await called
  const entering = page.getByText('正在自动登录，请稍候…')
  await entering.waitFor()
  // Resolves when the page pushes its own address to the history again.
  await page.evaluate(() => new Promise((resolve) => {
    const push = history.pushState.bind(history)
    history.pushState = (...state) => { push(...state); resolve() }
    history.back()
  }))
  await entering.waitFor()
  open()
  await page.getByRole('heading', { name: '令牌测试' }).waitFor()
  assert.equal(path(page), '/test/token')
  await page.goBack()
  assert.ok(!page.url().includes('sessionKey'))
  assert.equal(asked.length, 1)
})

journey('two tabs whose token has run out refresh once between them, and their calls are sent again; one that is removed signs both out', async (people) => {
  const { page, context } = await people({ may: /status of 401/ })
  await new LoginPage(page).signIn('buyer')
  const other = await context.newPage()
  for (const one of [page, other]) {
    await one.goto('/robotVerify')
    await one.getByRole('heading', { name: '安全验证' }).waitFor()
  }
  let refreshes = 0
  await context.route('**/api/Account/RefreshToken', async (route) => {
    refreshes += 1
    await route.continue()
  })
  await breakToken(page)
  await Promise.all([page, other].map((one) => one.goto('/shop/cart')))
  for (const one of [page, other]) await one.locator('main input[type="checkbox"]').first().waitFor()
  assert.equal(refreshes, 1)

  await page.evaluate(() => localStorage.removeItem('UserInfo'))
  await signIn(other).waitFor()
  assert.equal(path(other), '/login?redirect=%2Fshop%2Fcart')
  assert.deepEqual(await kept(other), [])
})

journey('signing out at the top bar clears the person, drops his categories and begins anew at the root', async (people) => {
  // A call that is on its way during the sign-out is refused.
  const { page, asked } = await people({ may: /status of 401/ })
  await new LoginPage(page).signIn('buyer')
  const ownCategories = () => Object.keys(localStorage).filter((key) => /^categories:\d+$/.test(key)).length
  await page.waitForFunction(ownCategories)
  await page.evaluate(() => { window.sameDocument = true })
  await hello(page).click()
  // The bar shows a visitor already before the new document is there.
  await page.waitForFunction(() => !window.sameDocument)
  await visitor(page).waitFor()
  assert.equal(path(page), '/')
  assert.deepEqual(await kept(page), [])
  assert.equal(await page.evaluate(ownCategories), 0)
  assert.ok(asked.includes('POST /api/Account/Logout'))
})
