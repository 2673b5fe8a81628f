// A visitor at a call that needs a sign-in. frontend/src/api/*.test.ts covers the text per status, the overlay, repeated messages and the
// timeout of 60 seconds.
import assert from 'node:assert/strict'
import { product, PRODUCT } from './faults.mjs'
import { journey } from './people.mjs'

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
