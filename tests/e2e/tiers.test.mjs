// Buying again with fewer mistakes: consumables by device, tiers from the detail page to the order, and the order as 定期采购.
import assert from 'node:assert/strict'
import { heard } from './browser.mjs'
import { OrderPage } from './pages/orders.mjs'
import { CartPage, CheckoutPage, DetailPage, SubmittedPage } from './pages/shop.mjs'
import { journey } from './people.mjs'

// Of the demo's price_tiers.csv: ¥11.76, from 10 boxes on ¥11.29.
const TIERED = '110066'

journey('the finder leads from a brand over its model to the cart', async (people) => {
  const { page } = await people({ as: 'buyer' })
  await page.goto('/product/finder')
  await page.getByRole('group', { name: '设备品牌' }).getByRole('button', { name: /^惠普/ }).click()
  await page.getByRole('group', { name: '机型' }).getByRole('button', { name: /M1005/ }).click()
  const product = page.getByRole('listitem').filter({ has: page.getByRole('button', { name: /加入购物车/ }) }).first()
  const name = await product.getByRole('link').first().innerText()
  await product.getByRole('button', { name: /加入购物车/ }).click()
  await heard(page, '添加购物车成功')
  await new CartPage(page).open()
  await page.getByRole('region', { name: '可购买的商品' }).getByRole('link', { name, exact: true }).waitFor()
})

journey('a tier is shown, offered in the cart, paid in the order, and the order repeats as 定期采购', async (people) => {
  const { page } = await people({ as: 'buyer' })
  await page.goto(`/${TIERED}.html`)
  await page.getByRole('row', { name: /^10 盒起 ¥11\.29/ }).waitFor()
  const name = await new DetailPage(page).put(9)

  const cart = new CartPage(page)
  await cart.open()
  await cart.chooseOnly(name)
  await page.getByRole('button', { name: '再买 1 盒，每盒 ¥11.29，省 ¥4.70' }).click()
  await page.waitForFunction(() => document.querySelector('[aria-label="结算"]')?.textContent?.includes('¥112.90'))
  await cart.chosen(1)
  assert.equal(await cart.quantityOf(name).inputValue(), '10')
  await cart.checkout.click()
  const checkout = new CheckoutPage(page)
  await checkout.useBudget('行政部')
  await checkout.submit.click()
  const order = new OrderPage(page)
  await order.open(await new SubmittedPage(page).orderNo())
  await page.locator('main').getByText('¥11.29').first().waitFor()

  await page.getByRole('link', { name: '设为定期采购' }).click()
  await page.getByLabel('名称').fill('前台每月补货')
  await page.getByLabel('单次金额上限（含运费）').fill('500')
  await page.getByRole('button', { name: '设为定期采购' }).click()
  await page.getByRole('heading', { name: '定期采购：前台每月补货' }).waitFor()
  const next = page.getByRole('region', { name: '下一次订单' })
  await next.getByText(`${name} × 10 盒`).waitFor()
  await next.getByText('今日 ¥11.29 · 确认单价 ¥11.29').waitFor()
  await page.getByRole('button', { name: '暂停' }).click()
  await page.getByRole('button', { name: '恢复' }).click()
  await page.getByRole('button', { name: '结束' }).click()
  await page.getByRole('tooltip').getByRole('button', { name: '结束' }).click()
  await page.getByText('已结束').first().waitFor()
})
