// Returns: requested, approved, sent, received and inspected by staff, refunded exactly, confirmed.
import assert from 'node:assert/strict'
import { PASSWORD, heard } from './browser.mjs'
import { BackOffice } from './pages/orders.mjs'
import { journey } from './people.mjs'

const APPLY = '/userCenter/order/afterSales/apply'

/** Requests a return of the first product of the newest order. Returns the number of the return and the amount shown on the page. */
async function ask(page) {
  await page.goto(APPLY)
  await page.getByRole('list', { name: '可申请的订单' }).getByRole('link', { name: '选择' }).first().click()
  const goods = page.getByRole('list', { name: '选择商品' })
  await goods.waitFor()
  assert.match(await goods.innerText(), /可申请至 \d{4}-\d{2}-\d{2}/)
  await page.getByLabel(/申请原因/).selectOption('quality')
  await goods.locator('input[type=checkbox]:enabled').first().check()
  await page.getByRole('radio', { name: /自行寄回/ }).check()
  await page.getByLabel('问题描述').fill('边角压坏')
  const promised = /已选 1 件，预计退款 (¥[\d,.]+)/.exec(await page.locator('form').last().innerText())[1]
  await page.getByRole('button', { name: '提交申请' }).click()
  await heard(page, '售后申请已提交')
  const heading = page.getByRole('heading', { level: 1, name: /退货单 TH\d+/ })
  await heading.waitFor()
  return { number: /TH\d+/.exec(await heading.innerText())[0], promised }
}

/** The buyer sends it to the address in the approval. */
async function sendBack(page, number) {
  await page.goto(`/userCenter/order/afterSales/${number}`)
  await page.getByText(/请于 \d{4}-\d{2}-\d{2} 前将商品寄至：.*示例路 66 号/).waitFor()
  await page.getByRole('button', { name: '填写寄回运单' }).click()
  const dialog = page.getByRole('dialog', { name: '填写寄回运单' })
  await dialog.getByLabel('承运商').fill('示例速运')
  await dialog.getByLabel('运单号').fill('SF2026112201')
  await dialog.getByRole('button', { name: /提\s?交/ }).click()
  await heard(page, '已登记')
  await page.getByText('商品正在寄回途中').waitFor()
}

journey('a customer sends goods back, staff receive, inspect and refund them, he confirms', async (people) => {
  const { page: buyer } = await people({ as: 'buyer' })
  const { number, promised } = await ask(buyer)

  const { page: staff } = await people()
  const office = new BackOffice(staff)
  await office.signIn('ops', PASSWORD)
  await staff.goto(`/admin/aftersales/returnorder/?q=${number}`)
  await staff.getByRole('link', { name: number }).first().click()
  await office.act('审核通过', { send_to: '苏州市示例路 66 号 售后组 0512-65550100', note: '请保留外箱' })

  await sendBack(buyer, number)
  await staff.reload()
  for (const act of ['确认收货', '登记检测结果', '退款']) await office.act(act)

  await buyer.reload()
  await buyer.getByText(`已退款 ${promised}，请核对后确认`).waitFor()
  assert.match(await buyer.getByRole('region', { name: '售后商品' }).innerText(), new RegExp(`与申请相符[\\s\\S]*退款合计 ${promised.replaceAll('.', '\\.')}`))
  await buyer.getByRole('button', { name: '确认完成' }).click()
  await buyer.getByRole('dialog', { name: '确认完成' }).getByRole('button', { name: '确认完成' }).click()
  await heard(buyer, '售后已完成')
  await buyer.getByText(`售后已完成，已退款 ${promised}`).waitFor()
})

journey('an order that is received leads to its application, on a phone too', async (people) => {
  const { page } = await people({ as: 'buyer', onlyLooks: true })
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto('/userCenter/order/index?Status=completed')
  await page.getByRole('link', { name: '申请售后' }).first().click()
  await page.getByRole('list', { name: '选择商品' }).waitFor()
  assert.equal(await page.getByRole('button', { name: '提交申请' }).isVisible(), true)
  assert.equal(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), true)
})
