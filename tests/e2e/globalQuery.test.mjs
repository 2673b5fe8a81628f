// Addresses with global query parameters, in a real browser with the real server. frontend/src/app/globalQuery.test.ts covers each
// parameter.
import assert from 'node:assert/strict'
import { PASSWORD, url } from './browser.mjs'
import { BackOffice } from './pages/orders.mjs'
import { journey } from './people.mjs'

journey('/cleanCookie is home and clears the cookies a page may clear, but the session cookie and MallVersion; so are the aliases home', async (people) => {
  const { page, context } = await people()
  // The server deletes an unknown session cookie, so this one is real.
  await new BackOffice(page).signIn('ops', PASSWORD)
  await context.addCookies(['a', 'b=c'].map((name) => ({ name: encodeURIComponent(name), value: 'x', url })))
  await context.addCookies([{ name: 'MallVersion', value: 'new', url }])
  await page.goto('/cleanCookie')
  await page.locator('main article').first().waitFor()
  assert.match(await page.title(), /首页/)
  // Scripts cannot read or delete an HttpOnly cookie.
  const names = (await context.cookies()).filter(({ name, httpOnly }) => !httpOnly || name === 'sessionid').map(({ name }) => name)
  assert.deepEqual(names.toSorted(), ['MallVersion', 'sessionid'])
  for (const alias of ['/index', '/home/index.html']) {
    await page.goto(alias)
    await page.waitForFunction(() => document.title.includes('首页'))
    assert.equal(new URL(page.url()).pathname, alias)
  }
})

journey('a redirect in an address leads to a page of ours, through its guard, and nowhere else', async (people) => {
  const { page } = await people()
  await page.goto('/test/cookie?redirect=/shop/cart')
  await page.getByRole('heading', { name: '账号登录' }).waitFor()
  const { pathname, search } = new URL(page.url())
  assert.equal(pathname + search, '/login?redirect=%2Fshop%2Fcart')
  const before = await page.evaluate('history.length')
  await page.goto('/test/cookie?redirect=%2F%5Cevil.example')
  await page.getByRole('heading', { level: 1, name: 'Cookie 测试' }).waitFor()
  assert.equal(page.url(), `${url}/test/cookie`)
  assert.equal(await page.evaluate('history.length'), before + 1)
})
