import { heard } from '../browser.mjs'

/** The number of the open return. */
export async function numberOf(page) {
  const heading = page.getByRole('heading', { level: 1, name: /退货单 TH\d+/ })
  await heading.waitFor()
  return /TH\d+/.exec(await heading.innerText())[0]
}

/** Requests the return of one piece by the buyer's own parcel. Returns the number of the return and the refund that the form promises. */
export async function askBack(page, orderNo) {
  await page.goto(`/userCenter/order/afterSales/apply?OrderNo=${orderNo}`)
  const goods = page.getByRole('list', { name: '选择商品' })
  await goods.locator('input[type=checkbox]:enabled').first().check()
  await page.getByLabel(/申请原因/).selectOption('quality')
  await page.getByRole('radio', { name: /自行寄回/ }).check()
  const [, promised] = /已选 1 件，预计退款 (¥[\d,.]+)/.exec(await page.locator('form').last().innerText())
  await page.getByRole('button', { name: '提交申请' }).click()
  return { number: await numberOf(page), promised }
}

/** On the page of an approved return: enters the parcel number. */
export async function sentBack(page, trackingNo) {
  await page.reload()
  await page.getByRole('button', { name: '填写寄回运单' }).click()
  const dialog = page.getByRole('dialog', { name: '填写寄回运单' })
  await dialog.getByLabel('承运商').fill('示例速运')
  await dialog.getByLabel('运单号').fill(trackingNo)
  await dialog.getByRole('button', { name: /提\s?交/ }).click()
  await heard(page, '已登记')
}
