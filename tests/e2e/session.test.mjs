// How a sign-in lives and ends: by key, as a customer, refreshed, in many tabs, and what one may open with it.
import assert from 'node:assert/strict'
import { answer, breakToken, gate, token, tokensOf } from './answers.mjs'
import { heard, PASSWORD } from './browser.mjs'
import { LoginPage } from './pages/login.mjs'
import { addressToActAs } from './pages/office.mjs'
import { Header } from './pages/shop.mjs'
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
  await page.goto('/')
  await page.evaluate(() => localStorage.setItem('rememberedAccount', '"somebody"'))
  await page.goto(address)
  const banner = page.getByRole('region', { name: '代客户登录' })
  await banner.getByText('客户来电，协助对账').waitFor()
  await hello(page).waitFor()
  assert.equal(path(page), '/')
  assert.equal(await page.evaluate("localStorage.getItem('rememberedAccount')"), null)
  for (const where of ['/product/index', '/shop/cart', '/userCenter/index', '/robotVerify']) {
    await page.goto(where)
    await banner.getByRole('timer').waitFor()
    assert.match(await banner.innerText(), /正以 小林/)
  }
  await page.goto('/')
  await banner.getByRole('button', { name: '结束代登录' }).click()
  await visitor(page).waitFor()
  assert.deepEqual(await kept(page), [])
  await page.goto(address)
  await heard(page, '自动登录失败，请手动登录')
  await visitor(page).waitFor()
})

journey('after half an hour the page ends it by itself', async (people) => {
  const { page } = await people()
  await page.clock.install()
  await answer(page, KEY, { Token: token({ Acting: { By: '运营', Reason: '核对', Seconds: 1800 } }), RefreshToken: 'r' })
  await page.goto('/login?sessionKey=k&redirectUrl=/robotVerify')
  const banner = page.getByRole('region', { name: '代客户登录' })
  await banner.getByText('原因：核对').waitFor()
  await page.clock.fastForward('29:00')
  await banner.getByText(/^(1:00|0:5\d)$/).waitFor()
  await page.clock.fastForward('01:01')
  await heard(page, '代客户登录的时间已到，已退出')
  await banner.waitFor({ state: 'detached' })
  assert.deepEqual(await kept(page), [])
})

journey('going back does nothing while a key signs in, and leads to no spent key afterwards', async (people) => {
  const { page } = await people()
  const { opened, open } = gate()
  const asked = await answer(page, KEY, await tokensOf(page, 'buyer'), { hold: opened })
  await page.goto('/test/cookie')
  await page.getByRole('heading', { level: 1 }).waitFor()
  await page.goto('/login?sessionKey=k&redirectUrl=/test/token', { waitUntil: 'commit' })
  const entering = page.getByText('正在自动登录，请稍候…')
  await entering.waitFor()
  // Resolves once the page has put itself in front again.
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

journey('a key that is refused says so and leads home', async (people) => {
  const { page } = await people()
  await page.goto('/product/index?sessionKey=wrong&Keyword=a')
  await heard(page, '自动登录失败，请手动登录')
  await page.locator('main article').first().waitFor()
  assert.equal(path(page), '/')
})

for (const target of ['https://evil.example/', '//evil.example', 'javascript:alert(1)', '/\\evil.example']) {
  journey(`a key with the redirect ${target} leads home`, async (people) => {
    const { page } = await people()
    await answer(page, KEY, { ...(await tokensOf(page, 'buyer')), ReturnUrl: target })
    await page.goto(`/test/token?SessionKey=k&redirectUrl=${encodeURIComponent(target)}`)
    await hello(page).waitFor()
    assert.equal(page.url(), `${new URL(process.env.MALL_URL).origin}/`)
  })
}

journey('the answer says where to go when the address does not', async (people) => {
  const { page } = await people()
  await answer(page, KEY, { ...(await tokensOf(page, 'buyer')), ReturnUrl: '/test/token' })
  await page.goto('/test/cookie?sessionKey=k')
  await page.getByRole('heading', { name: '令牌测试' }).waitFor()
  await page.getByRole('cell', { name: '小林' }).waitFor()
})

journey('two tabs whose token has run out refresh once between them, and their calls are sent again', async (people) => {
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
})

journey('a refresh that is refused asks to sign in again, and comes back to where one was', async (people) => {
  const { page } = await people({ as: 'buyer' })
  await page.goto('/test/token')
  await page.evaluate(() => {
    const person = JSON.parse(localStorage.getItem('UserInfo'))
    localStorage.setItem('UserInfo', JSON.stringify({ ...person, RefreshToken: 'none' }))
  })
  await page.reload()
  await page.getByRole('button', { name: '立即刷新令牌' }).click()
  const dialog = page.getByRole('dialog', { name: '系统提示' })
  await dialog.getByText('登录已过期，请重新登录').waitFor()
  assert.deepEqual(await kept(page), [])
  await dialog.getByRole('button', { name: '重新登录' }).click()
  await signIn(page).waitFor()
  assert.equal(path(page), '/login?redirect=%2Ftest%2Ftoken')
})

journey('a token whose person is not known says 用户信息不存在', async (people) => {
  const { page } = await people({ as: 'buyer' })
  await page.goto('/test/token')
  await new Header(page).whole()
  await page.evaluate(() => {
    const { User, ...rest } = JSON.parse(localStorage.getItem('UserInfo'))
    localStorage.setItem('UserInfo', JSON.stringify(rest))
    return User
  })
  await page.reload()
  await page.getByRole('button', { name: '立即刷新令牌' }).click()
  await page.getByRole('dialog', { name: '系统提示' }).getByText('用户信息不存在').waitFor()
  assert.deepEqual(await kept(page), [])
})

for (const key of ['Token', 'UserInfo']) {
  journey(`removing ${key} in one tab signs the other out, off what needs login`, async (people) => {
    const { page, context } = await people({ as: 'buyer' })
    await page.goto('/robotVerify')
    const other = await context.newPage()
    await other.goto('/shop/cart')
    await other.locator('main input[type="checkbox"]').first().waitFor()
    await page.evaluate((name) => localStorage.removeItem(name), key)
    await signIn(other).waitFor()
    assert.equal(path(other), '/login?redirect=%2Fshop%2Fcart')
    assert.deepEqual(await kept(other), [])
  })
}

journey('signing out at the top bar clears the person, drops his categories and begins anew at the root', async (people) => {
  const { page, asked } = await people()
  await new LoginPage(page).signIn('buyer')
  await page.goto('/')
  const ownCategories = () => Object.keys(localStorage).filter((key) => /^categories:\d+$/.test(key)).length
  await page.waitForFunction(ownCategories)
  await page.evaluate(() => { window.sameDocument = true })
  await hello(page).click()
  await visitor(page).waitFor()
  assert.equal(path(page), '/')
  assert.equal(await page.evaluate('window.sameDocument'), undefined)
  assert.deepEqual(await kept(page), [])
  assert.equal(await page.evaluate(ownCategories), 0)
  assert.ok(asked.includes('POST /api/Account/Logout'))
})

journey('what needs login sends there, and signing in leads back with the query', async (people) => {
  const { page } = await people()
  await page.goto('/userCenter/order/index?Tab=all')
  const login = new LoginPage(page)
  await login.name.fill('buyer')
  await login.password.fill(PASSWORD)
  await login.submit.click()
  await page.getByRole('heading', { name: '我的订单', level: 1 }).waitFor()
  assert.equal(path(page), '/userCenter/order/index?Tab=all')
})

journey('a page without its right says which, and who grants it; the server refuses its calls', async (people) => {
  const { page } = await people({ as: 'limited', may: /status of 403/ })
  await page.goto('/robotVerify')
  const refused = await page.evaluate(async () => {
    const answered = await fetch('/api/Approval', { headers: { Authorization: `Bearer ${JSON.parse(localStorage.getItem('Token'))}` } })
    return answered.status
  })
  assert.equal(refused, 403)
  await page.goto('/userCenter/order/approval')
  await page.getByRole('heading', { name: '您还没有“订单审批”的权限' }).waitFor()
  await page.getByText('我的订单 / 订单审批').waitFor()
  await page.getByText(/^贵司集团管理员：\S+/).waitFor()
  await page.getByRole('link', { name: '返回我的工作台' }).click()
  await page.getByRole('heading', { name: '您还没有“订单审批”的权限' }).waitFor({ state: 'detached' })
  assert.equal(path(page), '/userCenter/index')
})
