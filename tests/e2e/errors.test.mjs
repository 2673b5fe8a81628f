// What a customer meets when a call fails: the spec's catalogue of errors, and the overlay while one runs.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { launch } from './browser.mjs'
import { ADD, held, product, PRODUCT, refusal } from './faults.mjs'
import { signedIn } from './visits.mjs'

let browser
let buyer

before(async () => {
  browser = await launch()
  buyer = await signedIn(browser, 'buyer')
})

after(() => browser.close())

for (const [told, shown] of [['库存刚刚被买走', '库存刚刚被买走'], ['', '请求失败']]) {
  test(`a refusal that says 「${told}」 is shown as ${shown}`, async () => {
    const { context, page, add, toasts, well } = await product(browser, buyer)
    await page.route(ADD, (route) => route.fulfill(refusal(told)))
    await add.click()
    await toasts(shown).waitFor()
    well()
    await context.close()
  })
}

for (const [status, shown] of [[403, '拒绝访问'], [404, '请求地址错误'], [500, '服务器故障'], [502, '网络连接故障'], [418, '网络连接故障']]) {
  test(`status ${status} is shown as ${shown}`, async () => {
    const { context, page, add, toasts } = await product(browser, buyer)
    await page.route(ADD, (route) => route.fulfill({ status, body: '<html>' }))
    await add.click()
    await toasts(shown).waitFor()
    await context.close()
  })
}

test('a line that breaks is shown as 网络连接故障', async () => {
  const { context, page, add, toasts } = await product(browser, buyer)
  await page.route(ADD, (route) => route.abort())
  await add.click()
  await toasts('网络连接故障').waitFor()
  await context.close()
})

test('the same words are shown once within three seconds, and again after them', async () => {
  const { context, page, add, toasts } = await product(browser, buyer, { frozen: true })
  await page.route(ADD, (route) => route.fulfill(refusal('库存不足')))
  const press = async () => {
    const answered = page.waitForResponse(ADD)
    await add.click()
    await (await answered).finished()
    await add.and(page.locator(':enabled')).waitFor()
  }
  await press()
  await toasts('库存不足').waitFor()
  await page.clock.runFor(2999)
  await press()
  assert.equal(await toasts('库存不足').count(), 1)
  await page.clock.runFor(1)
  await press()
  await toasts('库存不足').nth(1).waitFor()
  await context.close()
})

test('the overlay opens after 200 ms and closes 300 ms after the last call', async () => {
  const { context, page, add, toasts } = await product(browser, buyer, { frozen: true })
  const release = await held(page, ADD, { json: { MsgHeader: { Success: true }, MsgBody: null } })
  const overlay = page.getByRole('status', { name: '正在处理' })
  const asked = page.waitForRequest(ADD)
  await add.click()
  await asked
  await page.clock.runFor(199)
  assert.equal(await overlay.count(), 0)
  await page.clock.runFor(1)
  await overlay.waitFor()
  release()
  await toasts('添加购物车成功').waitFor()
  await page.clock.runFor(299)
  assert.equal(await overlay.count(), 1)
  await page.clock.runFor(1)
  await overlay.waitFor({ state: 'detached' })
  await context.close()
})

test('a call that is answered within 200 ms does not flash the overlay', async () => {
  const { context, page, add, toasts } = await product(browser, buyer, { frozen: true })
  await page.route(ADD, (route) => route.fulfill({ json: { MsgHeader: { Success: true }, MsgBody: null } }))
  await add.click()
  await toasts('添加购物车成功').waitFor()
  await page.clock.runFor(1000)
  assert.equal(await page.getByRole('status', { name: '正在处理' }).count(), 0)
  await context.close()
})

test('what only reads shows no overlay, however long it takes', async () => {
  const { context, page } = await product(browser, buyer, { frozen: true })
  await held(page, '**/api/Search/Suggest*', refusal(''))
  const asked = page.waitForRequest('**/api/Search/Suggest*')
  await page.getByRole('combobox', { name: '搜索商品' }).fill('笔')
  await page.clock.runFor(1000)
  await asked
  await page.clock.runFor(2000)
  assert.equal(await page.getByRole('status', { name: '正在处理' }).count(), 0)
  await context.close()
})

test('a call without an answer ends after 60 seconds', async () => {
  const { context, page, add, toasts } = await product(browser, buyer, { frozen: true })
  await held(page, ADD, refusal(''))
  const asked = page.waitForRequest(ADD)
  await add.click()
  await asked
  await page.clock.runFor(59_900)
  assert.equal(await toasts('网络连接故障').count(), 0)
  await page.clock.runFor(100)
  await toasts('网络连接故障').waitFor()
  await context.close()
})

for (const [what, button] of [['the cart', '加入购物车'], ['the favourites', /^收藏/]]) {
  test(`a visitor who adds to ${what} is asked to sign in, and nothing is sent`, async () => {
    const { context, page, asked, well } = await product(browser)
    await page.getByRole('button', { name: button }).first().click()
    const dialog = page.getByRole('dialog', { name: '系统提示' })
    await dialog.getByText('未登录或登录已过期，请重新登录').waitFor()
    assert.ok(!asked.some((line) => /AddToCart|Favorite/.test(line)))
    await dialog.getByRole('button', { name: '取消' }).click()
    await dialog.waitFor({ state: 'detached' })
    assert.equal(new URL(page.url()).pathname, PRODUCT)
    await page.getByRole('button', { name: button }).first().click()
    await dialog.getByRole('button', { name: '重新登录' }).click()
    await page.getByRole('heading', { name: /登录/ }).first().waitFor()
    assert.equal(new URL(page.url()).searchParams.get('redirect'), PRODUCT)
    well()
    await context.close()
  })
}

for (const [told, shown] of [['', '登录已过期，请重新登录'], ['用户信息不存在', '用户信息不存在']]) {
  test(`a refresh refused with 「${told}」 signs out and asks to sign in: ${shown}`, async () => {
    const { context, page, add } = await product(browser, buyer)
    await page.route(ADD, (route) => route.fulfill({ status: 401, json: { MsgHeader: { Success: false } } }))
    await page.route('**/api/Account/RefreshToken', (route) => route.fulfill(refusal(told)))
    await add.click()
    await page.getByRole('dialog', { name: '系统提示' }).getByText(shown, { exact: true }).waitFor()
    await page.getByRole('link', { name: '请登录' }).first().waitFor()
    assert.equal(await page.evaluate("localStorage.getItem('Token')"), null)
    await context.close()
  })
}
