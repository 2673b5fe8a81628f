// What a customer meets when a call fails: the spec's catalogue of errors, and the overlay while one runs.
import assert from 'node:assert/strict'
import { ADD, done, held, product, PRODUCT, refusal, SPOILT } from './faults.mjs'
import { journey } from './people.mjs'

for (const [told, shown] of [['库存刚刚被买走', '库存刚刚被买走'], ['', '请求失败']]) {
  journey(`a refusal that says 「${told}」 is shown as ${shown}`, async (people) => {
    const { page, add, heard } = await product(people, { as: 'buyer' })
    await page.route(ADD, (route) => route.fulfill(refusal(told)))
    await add.click()
    await heard(shown)
  })
}

for (const [status, shown] of [[403, '拒绝访问'], [404, '请求地址错误'], [500, '服务器故障'], [502, '网络连接故障'], [418, '网络连接故障']]) {
  journey(`status ${status} is shown as ${shown}`, async (people) => {
    const { page, add, heard } = await product(people, { as: 'buyer', may: SPOILT })
    await page.route(ADD, (route) => route.fulfill({ status, body: '<html>' }))
    await add.click()
    await heard(shown)
  })
}

journey('a line that breaks is shown as 网络连接故障', async (people) => {
  const { page, add, heard } = await product(people, { as: 'buyer', may: SPOILT })
  await page.route(ADD, (route) => route.abort())
  await add.click()
  await heard('网络连接故障')
})

journey('the same words are shown once within three seconds, and again after them', async (people) => {
  const { page, add, toasts } = await product(people, { as: 'buyer', frozen: true })
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
})

journey('the overlay opens after 200 ms and closes 300 ms after the last call', async (people) => {
  const { page, add, toasts } = await product(people, { as: 'buyer', frozen: true })
  const release = await held(page, ADD, done)
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
})

journey('a call that is answered within 200 ms does not flash the overlay', async (people) => {
  const { page, add, toasts } = await product(people, { as: 'buyer', frozen: true })
  await page.route(ADD, (route) => route.fulfill(done))
  await add.click()
  await toasts('添加购物车成功').waitFor()
  await page.clock.runFor(1000)
  assert.equal(await page.getByRole('status', { name: '正在处理' }).count(), 0)
})

journey('what only reads shows no overlay, however long it takes', async (people) => {
  const { page } = await product(people, { as: 'buyer', frozen: true })
  await held(page, '**/api/Search/Suggest*', refusal(''))
  const asked = page.waitForRequest('**/api/Search/Suggest*')
  await page.getByRole('combobox', { name: '搜索商品' }).fill('笔')
  await page.clock.runFor(1000)
  await asked
  await page.clock.runFor(2000)
  assert.equal(await page.getByRole('status', { name: '正在处理' }).count(), 0)
})

journey('a call without an answer ends after 60 seconds', async (people) => {
  const { page, add, toasts } = await product(people, { as: 'buyer', may: SPOILT, frozen: true })
  await held(page, ADD, refusal(''))
  const asked = page.waitForRequest(ADD)
  await add.click()
  await asked
  await page.clock.runFor(59_900)
  assert.equal(await toasts('网络连接故障').count(), 0)
  await page.clock.runFor(100)
  await toasts('网络连接故障').waitFor()
})

for (const [what, button] of [['the cart', '加入购物车'], ['the favourites', /^收藏/]]) {
  journey(`a visitor who adds to ${what} is asked to sign in, and nothing is sent`, async (people) => {
    const { page, asked } = await product(people)
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
  })
}

for (const [told, shown] of [['', '登录已过期，请重新登录'], ['用户信息不存在', '用户信息不存在']]) {
  journey(`a refresh refused with 「${told}」 signs out and asks to sign in: ${shown}`, async (people) => {
    const { page, add } = await product(people, { as: 'buyer', may: SPOILT })
    await page.route(ADD, (route) => route.fulfill({ status: 401, json: { MsgHeader: { Success: false } } }))
    await page.route('**/api/Account/RefreshToken', (route) => route.fulfill(refusal(told)))
    await add.click()
    await page.getByRole('dialog', { name: '系统提示' }).getByText(shown, { exact: true }).waitFor()
    await page.getByRole('link', { name: '请登录' }).first().waitFor()
    assert.equal(await page.evaluate("localStorage.getItem('Token')"), null)
  })
}
