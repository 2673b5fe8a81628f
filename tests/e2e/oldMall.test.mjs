// The switch to the old mall and back, and the redirect of a browser that prefers the old mall.
import assert from 'node:assert/strict'
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
  // The browser stores a cookie of a script in another process, some time after the script.
  await page.waitForFunction(() => document.cookie.includes('MallVersion='))
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

journey('where the settings say so the ticket travels in the address, and is good once', async (people) => {
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
  await page.reload()
  await page.getByText('票据已使用过').waitFor()
})
