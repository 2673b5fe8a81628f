// The way to the old mall and back, and what a browser that wants it does first.
import assert from 'node:assert/strict'
import { answer, tokensOf } from './answers.mjs'
import { heard, settled } from './browser.mjs'
import { Header } from './pages/shop.mjs'
import { journey } from './people.mjs'

const LINK = '/api/Account/JumpOldLink'
const version = async (context) => (await context.cookies()).find(({ name }) => name === 'MallVersion')
const arrived = (page) => page.getByRole('heading', { name: '旧版商城（演示）' })
const change = (page) => page.getByRole('button', { name: '返回旧版' })
const DAY = 86_400

journey('the switch sets the cookie for 30 days, posts a ticket with the way back, and the way back leads there', async (people) => {
  const { page, context } = await people({ as: 'buyer' })
  await page.goto('/product/index?Keyword=%E7%AC%94')
  await change(page).click()
  await arrived(page).waitFor()
  const { value, path, sameSite, secure, expires } = await version(context)
  assert.deepEqual({ value, path, sameSite, secure }, { value: 'old', path: '/', sameSite: 'Lax', secure: false })
  assert.ok(Math.abs(expires - Date.now() / 1000 - 30 * DAY) < 300)
  await page.getByText('票据有效：').waitFor()
  await page.getByRole('heading', { name: '收到的参数（POST）' }).waitFor()
  await page.getByRole('row', { name: /returnUrl .*\/product\/index\?Keyword=/ }).waitFor()
  assert.equal(new URL(page.url()).search, '')
  await page.getByRole('link', { name: '返回新版商城' }).click()
  await change(page).waitFor()
  assert.equal(new URL(page.url()).pathname + new URL(page.url()).search, '/product/index?Keyword=%E7%AC%94')
  assert.equal(await version(context), undefined)
})

journey('a visitor is offered no switch', async (people) => {
  const { page } = await people()
  await page.goto('/')
  await page.getByRole('link', { name: '请登录' }).waitFor()
  assert.equal(await change(page).count(), 0)
})

for (const address of [null, '', 7]) {
  journey(`the old address ${JSON.stringify(address)} is said to be missing, and nobody is kept from the new mall`, async (people) => {
    const { page, context } = await people({ as: 'buyer' })
    await page.goto('/')
    await answer(page, LINK, address)
    await change(page).click()
    await heard(page, '未获取到旧版商城地址')
    assert.equal(await version(context), undefined)
    assert.equal(new URL(page.url()).pathname, '/')
  })
}

journey('a browser that keeps no cookie is waited for 10 times 50 ms, and then goes all the same', async (people) => {
  const { page } = await people({ as: 'buyer' })
  await page.addInitScript(() => {
    window.looked = 0
    Object.defineProperty(document, 'cookie', { get: () => { window.looked += 1; return '' }, set: () => undefined })
  })
  await page.goto('/test/cookie')
  await change(page).waitFor()
  await settled(page)
  await page.clock.install()
  await page.clock.pauseAt(Date.now() + 60_000)
  await page.evaluate(() => { window.looked = 0 })
  const asked = []
  page.on('request', (request) => request.url().includes(LINK) && asked.push(request.url()))
  await change(page).click()
  // The first look is the page's own, before any wait.
  await page.waitForFunction(() => window.looked > 0, undefined, { polling: 20 })
  await page.clock.runFor(450)
  assert.deepEqual(asked, [])
  await page.clock.resume()
  await arrived(page).waitFor()
  assert.equal(asked.length, 1)
})

journey('while the cookie says old, any page jumps first; ?MallVersion=new ends it before any jump', async (people) => {
  const { page, context } = await people()
  await context.addCookies([{ name: 'MallVersion', value: 'old', url: process.env.MALL_URL }])
  const asked = []
  page.on('request', (request) => request.url().includes('/api/') && asked.push(new URL(request.url()).pathname))
  await page.goto('/product/index')
  await arrived(page).waitFor()
  assert.deepEqual(asked, [LINK])
  await page.goto('/product/index?Cid=3&MallVersion=new')
  await page.locator('main').waitFor()
  await page.getByRole('link', { name: '请登录' }).waitFor()
  assert.equal(new URL(page.url()).search, '?Cid=3')
  assert.equal(await version(context), undefined)
})

journey('where the settings say so the ticket travels in the address', async (people) => {
  const { page } = await people({ as: 'buyer' })
  const home = new URL('/', process.env.MALL_URL).href
  await page.route(home, async (route) => {
    const response = await route.fetch()
    await route.fulfill({ response, body: (await response.text()).replace('"OldMallMethod": "post"', '"OldMallMethod": "redirect"') })
  })
  await page.goto('/')
  await change(page).click()
  await page.getByText('票据有效：').waitFor()
  await page.getByRole('heading', { name: '收到的参数（GET）' }).waitFor()
  assert.equal(new URL(page.url()).searchParams.get('returnUrl'), home)
})

journey('a call of a page that is open jumps first once another tab has switched', async (people) => {
  const { page, context } = await people({ as: 'buyer' })
  await page.goto('/test/token')
  await page.getByRole('button', { name: '立即刷新令牌' }).waitFor()
  await new Header(page).whole()
  await context.addCookies([{ name: 'MallVersion', value: 'old', url: process.env.MALL_URL }])
  await page.getByRole('link', { name: '购物车' }).first().click()
  await arrived(page).waitFor()
})

journey('?MallVersion=old switches', async (people) => {
  const { page, context } = await people()
  await page.goto('/product/index?MallVersion=old')
  await arrived(page).waitFor()
  assert.equal((await version(context)).value, 'old')
  await page.getByText('未收到票据，以访客身份访问。').waitFor()
})

journey('a Redirect in the answer of a session key goes to the old mall, signed in, and sets no cookie', async (people) => {
  const { page, context } = await people()
  await answer(page, '/api/Account/LoginBySession', { ...(await tokensOf(page, 'buyer')), Redirect: '/orders' })
  await page.goto('/?sessionKey=k')
  await page.getByText('票据有效：小林').waitFor()
  await page.getByRole('row', { name: 'Redirect /orders' }).waitFor()
  assert.equal(await version(context), undefined)
})

journey('a Redirect without an old mall says so and leads home, signed in', async (people) => {
  const { page } = await people()
  await answer(page, '/api/Account/LoginBySession', { ...(await tokensOf(page, 'buyer')), Redirect: '/orders' })
  await answer(page, LINK, null)
  await page.goto('/test/cookie?sessionKey=k')
  await heard(page, '未获取到旧版商城地址')
  await page.getByRole('button', { name: '退出登录' }).waitFor()
  assert.equal(new URL(page.url()).pathname, '/')
})
