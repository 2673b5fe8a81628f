// Inquiries: a buyer asks for a product with a picture, staff quote it, the buyer accepts the quoted price.
import assert from 'node:assert/strict'
import { PASSWORD, heard } from './browser.mjs'
import { BackOffice } from './pages/orders.mjs'
import { CartPage } from './pages/shop.mjs'
import { journey } from './people.mjs'

/** A pen of the demo catalogue that no other test buys. */
const PEN = '110098'
const PNG = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAIAAAACCAIAAAD91JpzAAAAEElEQVR4nGMQCbsJRAwQCgAgTgUNe51bcAAAAABJRU5ErkJggg==', 'base64')

/** Creates an inquiry with a picture. A reload keeps the form. Returns the number of the inquiry. */
async function ask(page) {
  await page.goto('/userCenter/order/productInquiry?keyword=年会定制礼盒&quantity=20')
  await page.getByRole('heading', { name: '发起询价' }).waitFor()
  await page.getByLabel('规格要求').fill('印公司标志')
  await page.getByLabel('上传图片').setInputFiles({ name: '样品.png', mimeType: 'image/png', buffer: PNG })
  await page.getByRole('list', { name: '已选文件' }).getByRole('button', { name: '样品.png', exact: true }).waitFor()
  await page.reload()
  await page.getByRole('list', { name: '已选文件' }).getByRole('button', { name: '样品.png', exact: true }).waitFor()
  assert.equal(await page.getByLabel('意向商品', { exact: false }).first().inputValue(), '年会定制礼盒')
  await page.getByRole('button', { name: '提交询价' }).click()
  await heard(page, '询价已提交')
  const heading = page.getByRole('heading', { level: 1, name: /询价单 XJ\d+/ })
  await heading.waitFor()
  await page.getByRole('img', { name: '样品.png' }).waitFor()
  return /XJ\d+/.exec(await heading.innerText())[0]
}

/** Staff see the inquiry on their start page and quote a product for its only line. */
async function quote(page, inquiryNo, code, price) {
  const office = new BackOffice(page)
  await office.signIn('ops', PASSWORD)
  await page.goto('/admin/')
  await page.getByRole('link', { name: /待报价询价/ }).waitFor()
  await page.goto(`/admin/inquiries/productinquiry/?q=${inquiryNo}`)
  await page.getByRole('link', { name: inquiryNo }).first().click()
  await page.locator('a', { hasText: /^\s*(?:[a-z_]+\s*)?报价\s*$/ }).first().click()
  await page.getByLabel('第 1 行报价商品编码').fill(code)
  await page.getByLabel('第 1 行报价（元，含税）').fill(price)
  await page.locator('form.office-form').getByRole('button', { name: '报价', exact: true }).click()
  await page.getByText('报价成功').first().waitFor()
}

journey('ask with a picture, be quoted, adopt: the line is in the cart at that price', async (people) => {
  const { page } = await people({ as: 'buyer' })
  const inquiryNo = await ask(page)
  await quote((await people()).page, inquiryNo, PEN, '30.66')

  await page.goto(`/userCenter/order/productInquiry/${inquiryNo}`)
  await page.getByRole('region', { name: '商品与报价' }).getByText('¥30.66').first().waitFor()
  await page.getByRole('button', { name: '采纳并加入购物车' }).click()
  await new CartPage(page).foot.waitFor()
  const quantity = page.getByRole('group', { name: /钢笔.*深蓝色/ }).getByRole('textbox')
  assert.equal(await quantity.inputValue(), '20')
  await page.locator('main').getByText('¥30.66').first().waitFor()
}, { pictures: true })
