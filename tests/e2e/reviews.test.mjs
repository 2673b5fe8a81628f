// Reviews: written by the buyer, read by a colleague, answered and hidden by staff.
import assert from 'node:assert/strict'
import { PASSWORD, heard } from './browser.mjs'
import { BackOffice } from './pages/orders.mjs'
import { journey } from './people.mjs'

const SAID = '装订牢固，写着顺手'

/**
 * Opens the first order that waits for reviews and gives its first product five stars. Returns the number of the order and the address of
 * the product.
 */
async function review(page) {
  await page.goto('/userCenter/order/index?Status=to_review')
  await page.getByRole('link', { name: '评价', exact: true }).first().click()
  await page.getByRole('heading', { level: 1, name: '评价商品' }).waitFor()
  const orderNo = new URL(page.url()).pathname.split('/').pop()
  const goods = page.getByRole('form', { name: '待评价商品' }).getByRole('article').first()
  const product = await goods.getByRole('link').first().getAttribute('href')
  await goods.getByRole('radio', { name: /5 星/ }).check()
  await goods.getByRole('button', { name: '质量好' }).click()
  await goods.getByLabel('评价内容').fill(SAID)
  await page.getByRole('button', { name: '发表评价' }).click()
  await heard(page, '评价已发表')
  await page.getByRole('region', { name: '已评价商品' }).getByText(SAID).waitFor()
  return { orderNo, product }
}

journey('a buyer reviews what he received; colleagues read it, staff answer it and hide it', async (people) => {
  const { page: buyer } = await people({ as: 'buyer' })
  const { orderNo, product } = await review(buyer)

  const { page: colleague } = await people({ as: 'ga' })
  await colleague.goto(product)
  const reviews = colleague.getByRole('region', { name: '商品评价' })
  const said = reviews.getByRole('listitem').filter({ hasText: SAID })
  await said.waitFor()
  assert.match(await said.innerText(), /小林/)

  const { page: staff } = await people()
  const office = new BackOffice(staff)
  await office.signIn('ops', PASSWORD)
  await staff.goto(`/admin/reviews/orderreview/?q=${orderNo}`)
  await staff.getByRole('link').filter({ hasText: /^\d+ / }).first().click()
  await office.act('回复', { text: '感谢支持' })
  await colleague.reload()
  await said.getByText('感谢支持').waitFor()
  await buyer.reload()
  await buyer.getByText('感谢支持').waitFor()
  const own = buyer.getByRole('article').filter({ hasText: SAID })
  assert.equal(await own.getByRole('button', { name: '修改评价' }).count(), 0)
  await own.getByRole('button', { name: '追加评价' }).click()
  await buyer.getByLabel('追加评价').fill('一个月后依然好用')
  await buyer.getByRole('button', { name: '发表追评' }).click()
  await heard(buyer, '追加评价已发表')

  await staff.reload()
  await office.act('隐藏', { reason: '演练' })
  await buyer.reload()
  await buyer.getByText('该评价不在商品页展示：演练').waitFor()
  await colleague.reload()
  await colleague.getByRole('heading', { level: 1 }).waitFor()
  assert.equal(await colleague.getByText(SAID).count(), 0)
})
