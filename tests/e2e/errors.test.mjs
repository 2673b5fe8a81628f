// The screens after a failed request. frontend/src/api/*.test.ts covers the text per status, the timing of the overlay and of repeated
// messages, and the timeout of 60 seconds. These tests cover the whole page.
import assert from 'node:assert/strict'
import { ADD, done, held, product, PRODUCT, refusal, SPOILT } from './faults.mjs'
import { journey } from './people.mjs'

journey('a refusal and a broken server are told, and the overlay lies over the page while a call runs', async (people) => {
  const { page, add, heard } = await product(people, { as: 'buyer', may: SPOILT })
  const overlay = page.getByRole('status', { name: '正在处理' })
  const answers = [
    ['库存刚刚被买走', refusal('库存刚刚被买走')],
    ['服务器故障', { status: 500, body: '<html>' }],
    ['添加购物车成功', done],
  ]
  for (const [shown, answer] of answers) {
    const release = await held(page, ADD, answer)
    await add.click()
    await overlay.waitFor()
    release()
    await heard(shown)
    await overlay.waitFor({ state: 'detached' })
    await page.unroute(ADD)
  }
})

journey('a visitor who adds to cart or favourites is asked to sign in, nothing is sent, and the sign-in leads back', async (people) => {
  const { page, asked } = await product(people)
  const dialog = page.getByRole('dialog', { name: '系统提示' })
  for (const button of ['加入购物车', /^收藏/]) {
    await page.getByRole('button', { name: button }).first().click()
    await dialog.getByText('未登录或登录已过期，请重新登录').waitFor()
    await dialog.getByRole('button', { name: '取消' }).click()
    await dialog.waitFor({ state: 'detached' })
  }
  assert.ok(!asked.some((line) => /AddToCart|Favorite/.test(line)))
  assert.equal(new URL(page.url()).pathname, PRODUCT)
  await page.getByRole('button', { name: '加入购物车' }).first().click()
  await dialog.getByRole('button', { name: '重新登录' }).click()
  await page.getByRole('heading', { name: /登录/ }).first().waitFor()
  assert.equal(new URL(page.url()).searchParams.get('redirect'), PRODUCT)
})
