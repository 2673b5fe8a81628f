// What any address may say: each word is obeyed, goes out of the address, and leaves no entry in the history.
import assert from 'node:assert/strict'
import { PASSWORD } from './browser.mjs'
import { LoginPage } from './pages/login.mjs'
import { BackOffice } from './pages/orders.mjs'
import { journey } from './people.mjs'

const shown = (page) => new URL(page.url()).pathname + new URL(page.url()).search
const visitor = (page) => page.getByRole('link', { name: '请登录' })
const hello = (page) => page.getByRole('button', { name: '退出登录' })
const heading = (page, name) => page.getByRole('heading', { level: 1, name })

journey('logout signs out, on the server too, and leaves the address and the history without it', async (people) => {
  const { page, asked } = await people()
  await new LoginPage(page).signIn('buyer')
  await page.goto('/test/token')
  await hello(page).waitFor()
  const before = await page.evaluate('history.length')
  await page.goto('/test/cookie?logout=1&a=b')
  await visitor(page).waitFor()
  assert.equal(shown(page), '/test/cookie?a=b')
  assert.equal(await page.evaluate('history.length'), before + 1)
  assert.ok(asked.includes('POST /api/Account/Logout'))
  assert.equal(await page.evaluate("localStorage.getItem('Token')"), null)
})

journey('logout of a visitor only goes out of the address', async (people) => {
  const { page, asked } = await people()
  await page.goto('/test/cookie?logout')
  await heading(page, 'Cookie 测试').waitFor()
  assert.equal(shown(page), '/test/cookie')
  assert.ok(!asked.includes('POST /api/Account/Logout'))
})

journey('logout on a page that needs login ends at the sign-in', async (people) => {
  const { page } = await people()
  await new LoginPage(page).signIn('buyer')
  await page.goto('/shop/cart?logout=1')
  await page.getByRole('heading', { name: '账号登录' }).waitFor()
  assert.equal(shown(page), '/login?redirect=%2Fshop%2Fcart')
})

for (const word of ['redirect', 'redirectUrl']) {
  journey(`${word} leads to a page of ours, through its guard`, async (people) => {
    const { page } = await people()
    await page.goto(`/test/cookie?${word}=/test/token`)
    await heading(page, '令牌测试').waitFor()
    assert.equal(shown(page), '/test/token')
    await page.goto(`/test/cookie?${word}=/shop/cart`)
    await page.getByRole('heading', { name: '账号登录' }).waitFor()
    assert.equal(shown(page), '/login?redirect=%2Fshop%2Fcart')
  })
}

for (const target of ['https://evil.example/', '//evil.example', '/\\evil.example', 'javascript:alert(1)']) {
  journey(`the redirect ${target} leads nowhere and goes out of the address`, async (people) => {
    const { page } = await people()
    await page.goto(`/test/cookie?redirect=${encodeURIComponent(target)}`)
    await heading(page, 'Cookie 测试').waitFor()
    assert.equal(shown(page), '/test/cookie')
  })
}

journey('adminLogin without a key clears nothing and goes out of the address', async (people) => {
  const { page } = await people()
  await page.goto('/test/cookie')
  await page.evaluate(() => localStorage.setItem('rememberedAccount', '"somebody"'))
  await page.goto('/test/cookie?AdminLogin=1')
  await heading(page, 'Cookie 测试').waitFor()
  assert.equal(shown(page), '/test/cookie')
  assert.equal(await page.evaluate("localStorage.getItem('rememberedAccount')"), '"somebody"')
})

journey('/cleanCookie is home, and clears the cookies but the session cookie and MallVersion', async (people) => {
  const { page, context } = await people()
  const url = process.env.MALL_URL
  // The server takes a session cookie away that it does not know: this one is real.
  await new BackOffice(page).signIn('ops', PASSWORD)
  await context.addCookies(['a', 'b=c'].map((name) => ({ name: encodeURIComponent(name), value: 'x', url })))
  await context.addCookies([{ name: 'MallVersion', value: 'new', url }])
  await page.goto('/cleanCookie')
  await page.locator('main article').first().waitFor()
  assert.match(await page.title(), /首页/)
  assert.deepEqual((await context.cookies()).map(({ name }) => name).toSorted(), ['MallVersion', 'sessionid'])
})

for (const alias of ['/index', '/home/index', '/home/index.html', '/index.html']) {
  journey(`${alias} is home`, async (people) => {
    const { page } = await people()
    await page.goto(alias)
    await page.locator('main article').first().waitFor()
    assert.match(await page.title(), /首页/)
    assert.equal(shown(page), alias)
  })
}

journey('a cookie written with the defaults lasts 30 days at /, Lax; Strict becomes Lax on http', async (people) => {
  const { page, context } = await people()
  await page.goto('/test/cookie')
  const cookie = async () => {
    const { path, sameSite, secure, expires } = (await context.cookies()).find(({ name }) => name === 'demo')
    return { path, sameSite, secure, days: Math.round((expires - Date.now() / 1000) / 86_400) }
  }
  await page.getByRole('button', { name: '写入' }).click()
  await page.getByRole('row', { name: 'demo 1' }).waitFor()
  assert.deepEqual(await cookie(), { path: '/', sameSite: 'Lax', secure: false, days: 30 })
  await page.getByLabel('SameSite').selectOption('Strict')
  await page.getByLabel('值').fill('2')
  await page.getByRole('button', { name: '写入' }).click()
  await page.getByRole('row', { name: 'demo 2' }).waitFor()
  assert.equal((await cookie()).sameSite, 'Lax')
})
