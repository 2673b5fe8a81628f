// Network failure, a screen that fails to load, a release during use.
import assert from 'node:assert/strict'
import { chunk, held, product, SPOILT } from './faults.mjs'
import { LoginPage } from './pages/login.mjs'
import { journey } from './people.mjs'

const HOME_CHUNK = chunk('home')

journey('a line that is down is told until it is back; a screen that does not come says so, and a reload brings it', async (people) => {
  const { context, page, heard } = await product(people, { as: 'buyer', may: SPOILT })
  const notice = page.getByRole('alert').filter({ hasText: '网络已断开' })
  await context.setOffline(true)
  await notice.getByRole('button', { name: '重试' }).click()
  await heard('网络连接故障')
  await context.setOffline(false)
  await notice.waitFor({ state: 'detached' })
  await heard('网络已恢复')

  await page.route(HOME_CHUNK, (route) => route.abort())
  await page.getByRole('link', { name: '首页' }).first().click()
  await page.getByText('页面加载失败').waitFor()
  await page.getByRole('banner').getByRole('link', { name: '文采商城' }).waitFor()
  await page.unroute(HOME_CHUNK)
  await page.getByRole('button', { name: '重新加载' }).click()
  await page.locator('main article').first().waitFor()

  await page.route(chunk('layout-userCenter'), (route) => route.abort())
  await page.getByRole('link', { name: '我的工作台' }).first().click()
  await page.getByText('页面加载失败').waitFor()
  await page.unroute(chunk('layout-userCenter'))
  await page.getByRole('button', { name: '重新加载' }).click()
  await page.getByRole('region', { name: '今日待办' }).waitFor()
})

journey('a screen is waited for 120 seconds', async (people) => {
  const { page } = await product(people, { may: SPOILT })
  await held(page, HOME_CHUNK, { body: '' })
  await page.clock.install()
  await page.clock.pauseAt((await page.evaluate('Date.now()')) + 1000)
  const asked = page.waitForRequest(HOME_CHUNK)
  await page.getByRole('link', { name: '首页' }).first().click()
  await asked
  await page.clock.runFor(119_000)
  assert.equal(await page.getByText('页面加载失败').count(), 0)
  await page.clock.runFor(1000)
  await page.getByText('页面加载失败').waitFor()
})

journey('after a new release a reload is offered, and it keeps what was typed, but for the password', async (people) => {
  const { page, heard } = await product(people, { may: SPOILT })
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
  await heard('已恢复您之前填写的内容')
  assert.deepEqual([await login.name.inputValue(), await login.password.inputValue()], ['wang.xiaoming', ''])
})
