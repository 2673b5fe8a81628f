// Accounting dimensions: an order is split over three cost centres at the checkout, a wrong split cannot be saved, and the order, the
// report and the master data show the same parts. trail.test.mjs follows a split order to its statement.
import assert from 'node:assert/strict'
import { call } from './ordered.mjs'
import { journey } from './people.mjs'

const PRODUCT = '110025'
const CENTERS = ['YC-110 物资管理部', 'YC-120 工程一部', 'YC-130 财务部']

const fen = (text) => Math.round(Number(text.replaceAll(/[^\d.]/g, '')) * 100)

journey('an order is split over three cost centres to the cent', async (people) => {
  const { page } = await people({ as: 'other', height: 1200 })
  await page.goto('/userCenter/asset/dimension?Kind=cost_center')
  await page.getByRole('heading', { level: 1, name: '核算项' }).waitFor()
  await page.getByRole('row', { name: /YC-110/ }).getByText('可用').waitFor()

  await call(page, 'POST', 'ShoppingCart/AddToCart', { Items: [{ ProductCode: PRODUCT, Quantity: 10 }] })
  await page.goto('/shop/submit')
  await page.getByRole('button', { name: '分摊成本中心' }).click()
  const dialog = page.getByRole('dialog', { name: '整单分摊成本中心' })
  await dialog.getByRole('button', { name: '再加一项' }).click()
  for (const [index, center] of CENTERS.entries()) {
    await dialog.getByLabel(`第 ${index + 1} 项成本中心`).selectOption({ label: center })
    await dialog.getByLabel(`第 ${index + 1} 项的比例`).fill(index < 2 ? '33.33' : '33')
  }
  await dialog.getByText('还有 0.34%未分摊').waitFor()
  assert.ok(await dialog.getByRole('button', { name: '确定' }).isDisabled())
  await dialog.getByLabel('第 3 项的比例').fill('33.34')
  await dialog.getByRole('button', { name: '确定' }).click()
  await page.getByText('YC-110 物资管理部 33.33%、YC-120 工程一部 33.33%、YC-130 财务部 33.34%').waitFor()
  await page.getByRole('button', { name: /提交订单|提交审批/ }).click()
  await page.waitForURL('**/shop/state?OrderNo=*')
  const orderNo = new URL(page.url()).searchParams.get('OrderNo')

  await page.goto(`/userCenter/order/detail?OrderNo=${orderNo}`)
  const facts = page.getByRole('region', { name: '订单信息' })
  const text = await facts.getByText(/YC-110 物资管理部 ¥/).first().textContent()
  const parts = [...text.matchAll(/¥([\d,.]+)/g)].map(([, amount]) => fen(amount))
  const total = await page.locator('dt', { hasText: '应付总额' }).locator('xpath=following-sibling::dd').first().textContent()
  assert.equal(parts.length, 3)
  assert.equal(parts.reduce((sum, part) => sum + part, 0), fen(total))

  await page.goto('/userCenter/report/dimension')
  await page.getByRole('heading', { level: 1, name: '核算报表' }).waitFor()
  await page.getByRole('row', { name: /YC-110/ }).waitFor()
})
