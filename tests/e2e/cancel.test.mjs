// Partial cancellation: immediate before the order is confirmed, afterwards with approval by staff. The page shows the amount in advance.
import assert from 'node:assert/strict'
import { PASSWORD, heard } from './browser.mjs'
import { ordered } from './ordered.mjs'
import { BackOffice, OrderPage } from './pages/orders.mjs'
import { journey } from './people.mjs'

const yuan = (fen) => `¥${(fen / 100).toLocaleString('en-US', { minimumFractionDigits: 2 })}`
const fenOf = (text) => Math.round(Number(text.replaceAll(/[¥,]/g, '')) * 100)

/** Selects the quantity to cancel. Returns the amount on the page, in 分. */
async function choose(page, orderNo, pieces) {
  await page.goto(`/userCenter/order/cancelSales/apply?OrderNo=${orderNo}`)
  const goods = page.getByRole('region', { name: '取消商品' })
  await goods.waitFor()
  const [, price, ordered] = /¥([\d,.]+)\s+(\d+) \/ 0/.exec(await goods.innerText())
  await goods.getByRole('textbox').fill(String(pieces))
  await goods.getByRole('textbox').press('Enter')
  const left = fenOf(price) * (Number(ordered) - pieces)
  const effect = page.getByLabel('取消后金额')
  await effect.locator('div', { hasText: '商品金额' }).filter({ hasText: yuan(left) }).waitFor()
  const [, before, after] = /应付总额\s+(¥[\d,.]+)\s+(¥[\d,.]+)/.exec(await effect.innerText())
  return { before: fenOf(before), after: fenOf(after), less: fenOf(/应付减少\s+(¥[\d,.]+)/.exec(await effect.innerText())[1]) }
}

/** Enters the reason and submits. Returns the number of the cancellation. */
async function send(page, button, told) {
  await page.getByLabel(/取消原因/).selectOption('unwanted')
  await page.getByRole('button', { name: button }).click()
  await heard(page, told)
  const heading = page.getByRole('heading', { level: 1, name: /取消单 QX\d+/ })
  await heading.waitFor()
  return /QX\d+/.exec(await heading.innerText())[0]
}

journey('part of an order is cancelled at once, and part by the staff’s leave', async (people) => {
  const { page } = await people({ as: 'buyer' })
  const orderNo = await ordered(page, '120035', 6, '行政部')
  const first = await choose(page, orderNo, 2)
  assert.equal(first.less, first.before - first.after)
  await send(page, '确认取消', '取消成功')
  await page.getByText('所选商品已从订单中取消').waitFor()
  const order = new OrderPage(page)
  await order.open(orderNo)
  await page.locator('main').getByText(yuan(first.after)).first().waitFor()

  const { page: staff } = await people()
  const office = new BackOffice(staff)
  await office.signIn('ops', PASSWORD)
  await office.order(orderNo)
  await office.act('确认订单')

  const second = await choose(page, orderNo, 1)
  assert.equal(second.before, first.after)
  const number = await send(page, '提交取消申请', '取消申请已提交')
  await page.getByText(/客服最晚 \d{4}-\d{2}-\d{2} \d{2}:\d{2} 前处理/).waitFor()

  await staff.goto(`/admin/aftersales/cancelorder/?q=${number}`)
  await staff.getByRole('link', { name: number }).first().click()
  await office.act('同意取消', { note: '已通知仓库' })

  await page.reload()
  await page.getByText(/所选商品已从订单中取消.*已通知仓库/).waitFor()
  await order.open(orderNo)
  await page.locator('main').getByText(yuan(second.after)).first().waitFor()
})
