// The assistant: from a question to a line in the cart, an order's state, stop and retry.
import assert from 'node:assert/strict'
import { heard, settled } from './browser.mjs'
import { journey } from './people.mjs'

const answers = (page) => page.getByRole('article', { name: '助手的回答' })

/** Sends the question with Enter. Returns the complete answer. */
async function asked(page, text) {
  const number = await answers(page).count()
  const field = page.getByRole('textbox', { name: '输入问题' })
  await field.fill(text)
  await field.press('Enter')
  const answer = answers(page).nth(number)
  await answer.getByRole('button', { name: '重新回答' }).waitFor()
  return answer
}

journey('a question brings products, consent puts one into the cart, an order tells where it is, and an answer is stopped and given again', async (people) => {
  const { page } = await people({ as: 'buyer' })
  await page.goto('/')
  await settled(page)
  await page.getByRole('complementary', { name: '快捷栏' }).getByRole('link', { name: 'AI 咨询' }).click()
  await page.getByRole('heading', { name: 'AI 采购助手' }).waitFor()

  const found = await asked(page, '20元以内的黑色中性笔')
  await found.getByRole('list', { name: '商品' }).getByRole('listitem').first().waitFor()

  const proposed = await asked(page, '把110001加两盒到购物车')
  const consent = proposed.getByRole('region', { name: '待确认的加购清单' })
  await consent.getByText('确认后加入购物车').waitFor()
  await consent.getByRole('button', { name: '加入购物车' }).click()
  await heard(page, '添加购物车成功')
  await consent.getByRole('link', { name: '去购物车查看' }).click()
  await page.locator('a[href="/110001.html"]').first().waitFor()

  await page.goBack()
  await page.getByRole('button', { name: '新对话' }).click()
  await answers(page).first().waitFor({ state: 'detached' })
  const order = await asked(page, '我最近的订单到哪了')
  assert.match(await order.innerText(), /订单 SO\d+ 现在是/)
  await order.getByRole('link', { name: /^订单 SO/ }).waitFor()

  // An answer is stopped and given again.
  await page.getByRole('button', { name: '新对话' }).click()
  await answers(page).first().waitFor({ state: 'detached' })
  const first = await asked(page, '怎么退货')
  await first.getByRole('link', { name: '退货与换货' }).waitFor()

  await page.route('**/Retry', () => undefined)
  await first.getByRole('button', { name: '重新回答' }).click()
  await page.getByRole('button', { name: '停止' }).click()
  await page.getByText('已停止回答').waitFor()

  await page.unroute('**/Retry')
  await page.getByRole('button', { name: '重新回答' }).click()
  await answers(page).last().getByRole('link', { name: '退货与换货' }).waitFor()
})
