// A line that is down, a screen that does not load, a release in between.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { launch } from './browser.mjs'
import { held, product } from './faults.mjs'
import { LoginPage } from './pages/login.mjs'
import { signedIn } from './visits.mjs'

let browser
let buyer

before(async () => {
  browser = await launch()
  buyer = await signedIn(browser, 'buyer')
})

after(() => browser.close())

test('a line that is down is told until it is back, and can be tried', async () => {
  const { context, page, toasts } = await product(browser)
  const notice = page.getByRole('alert').filter({ hasText: '网络已断开' })
  await context.setOffline(true)
  await notice.getByRole('button', { name: '重试' }).click()
  await toasts('网络连接故障').waitFor()
  await context.setOffline(false)
  await notice.waitFor({ state: 'detached' })
  await toasts('网络已恢复').waitFor()
  await context.close()
})

test('trying again over a line that is back ends the notice', async () => {
  const { context, page } = await product(browser)
  const notice = page.getByRole('alert').filter({ hasText: '网络已断开' })
  // A browser that has not noticed yet.
  await page.evaluate("window.dispatchEvent(new Event('offline'))")
  await notice.getByRole('button', { name: '重试' }).click()
  await notice.waitFor({ state: 'detached' })
  await context.close()
})

const HOME_CHUNK = /\/static\/app\/home\.\w+\.js/

test('a screen that does not come says so, and a reload brings it', async () => {
  const { context, page } = await product(browser)
  await page.route(HOME_CHUNK, (route) => route.abort())
  await page.getByRole('link', { name: '首页' }).first().click()
  await page.getByText('页面加载失败').waitFor()
  await page.unroute(HOME_CHUNK)
  await page.getByRole('button', { name: '重新加载' }).click()
  await page.locator('main article').first().waitFor()
  await context.close()
})

test('a screen is waited for 120 seconds', async () => {
  const { context, page } = await product(browser, undefined, { frozen: true })
  await held(page, HOME_CHUNK, { body: '' })
  const asked = page.waitForRequest(HOME_CHUNK)
  await page.getByRole('link', { name: '首页' }).first().click()
  await asked
  await page.clock.runFor(119_000)
  assert.equal(await page.getByText('页面加载失败').count(), 0)
  await page.clock.runFor(1000)
  await page.getByText('页面加载失败').waitFor()
  await context.close()
})

test('after a new release a reload is offered, and it keeps what was typed, but for the password', async () => {
  const { context, page, toasts } = await product(browser)
  await page.getByRole('link', { name: '请登录' }).first().click()
  const login = new LoginPage(page)
  await login.name.fill('wang.xiaoming')
  await login.password.fill('not-to-be-kept')
  await page.route(HOME_CHUNK, (route) => route.abort())
  await page.route(new URL('/', page.url()).href, async (route) => {
    const answer = await route.fetch()
    await route.fulfill({ response: answer, body: (await answer.text()).replaceAll(/\/static\/app\/main\.\w+\.js/g, '/static/app/main.0123456789.js') })
  })
  await page.getByRole('link', { name: /文采商城/ }).first().click()
  await page.getByText('商城已更新').waitFor()
  await page.getByText('您填写的内容会为您保留').waitFor()
  await page.unrouteAll()
  await page.getByRole('button', { name: '重新加载' }).click()
  await page.locator('main article').first().waitFor()
  assert.ok(!(await page.evaluate('JSON.stringify({ ...sessionStorage })')).includes('not-to-be-kept'))
  await page.goBack()
  await toasts('已恢复您之前填写的内容').waitFor()
  assert.deepEqual([await login.name.inputValue(), await login.password.inputValue()], ['wang.xiaoming', ''])
  await context.close()
})

test('a checkout that is loaded anew keeps what was typed', async () => {
  const { context, page, add, toasts } = await product(browser, buyer)
  await add.click()
  await toasts('添加购物车成功').waitFor()
  await page.goto('/shop/submit')
  await page.getByLabel('备注').fill('请送到三楼前台')
  await page.reload()
  await page.getByLabel('备注').waitFor()
  assert.equal(await page.getByLabel('备注').inputValue(), '请送到三楼前台')
  await context.close()
})
