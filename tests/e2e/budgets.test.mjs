// Budgets: a plan is imported from a sheet, an amount changes with a reason, a second person approves a transfer. The ledger shows all of
// it. A budget that is used up blocks in the cart, and leaving it for another one needs an approval that says so.
import assert from 'node:assert/strict'
import { heard } from './browser.mjs'
import { call } from './ordered.mjs'
import { ApprovalsPage } from './pages/orders.mjs'
import { CartPage, CheckoutPage, SubmittedPage } from './pages/shop.mjs'
import { journey } from './people.mjs'

const HEAD = '企业编码,部门编码,账号,预算名称,周期,期次,额度,超出策略'
const YEAR = new Date().getFullYear() + 1
const sheet = (...rows) => ({ name: '预算.csv', mimeType: 'text/csv', buffer: Buffer.from([HEAD, ...rows].join('\n')) })
const ONE = `XLJG,,,走查总预算,年度,${YEAR},9000.00,超出提醒`
const TWO = `XLJG,XLJG-0101,,走查部门预算,年度,${YEAR},1000.00,`
const PAPER = '120013'
const LIST = '/userCenter/asset/budget?When=upcoming&Keyword=走查'

async function budgets(page) {
  await page.goto(LIST)
  await page.getByRole('heading', { level: 1, name: '预算余额' }).waitFor()
}

async function deed(page, name, what) {
  await page.getByRole('row', { name: new RegExp(name) }).getByRole('button', { name: what, exact: true }).click()
  const dialog = page.getByRole('dialog')
  await dialog.waitFor()
  return dialog
}

journey('a controller plans by sheet, changes an amount and moves part of it; both ledgers say so', async (people) => {
  const { page } = await people({ as: 'ga', height: 1200 })
  await budgets(page)
  // The opened list is inside the window, also with reduced motion.
  assert.ok(await page.evaluate("matchMedia('(prefers-reduced-motion: reduce)').matches"))
  await page.getByRole('combobox', { name: '归属' }).click()
  const list = page.locator('.ant-select-dropdown')
  await list.waitFor()
  const [box, { width, height }] = [await list.boundingBox(), page.viewportSize()]
  assert.ok(box.x >= 0 && box.y >= 0 && box.x + box.width <= width && box.y + box.height <= height, JSON.stringify(box))
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: '导入', exact: true }).click()
  const upload = page.getByRole('dialog')
  await upload.getByLabel('选择表格').setInputFiles(sheet(ONE, TWO.replace('1000.00', '很多')))
  await upload.getByText('额度请填写 0 至 10 亿元之间的金额').waitFor()
  await upload.getByRole('button', { name: '只导入正确的 1 个预算' }).waitFor()
  await upload.getByLabel('选择表格').setInputFiles(sheet(ONE, TWO))
  await upload.getByRole('button', { name: '导入 2 个预算' }).click()
  await heard(page, '已导入 2 个预算')

  const change = await deed(page, '走查总预算', '调整')
  await change.getByLabel('额度（元）').fill('9500')
  await change.getByLabel('调整原因').fill('新增门店')
  await change.getByRole('button', { name: '保存' }).click()
  await heard(page, '预算已保存')
  await page.getByRole('row', { name: /走查总预算/ }).getByRole('button', { name: '走查总预算额度的流水' }).getByText('¥9,500.00').waitFor()

  const transfer = await deed(page, '走查总预算', '调拨')
  await transfer.getByLabel('调入预算').fill('走查部门')
  await page.getByTitle(/^走查部门预算（/).dispatchEvent('click')
  await transfer.getByLabel('调拨金额（元）').fill('500')
  await transfer.getByLabel('调拨原因').fill('补足办公用品')
  await transfer.getByRole('button', { name: '调拨' }).click()
  await heard(page, '已提交调拨 ¥500')
  const waiting = page.getByRole('region', { name: '待审批的调拨' }).getByRole('listitem').filter({ hasText: '走查总预算' })
  await waiting.getByRole('button', { name: /撤\s?回/ }).waitFor()
  assert.equal(await waiting.getByRole('button', { name: /同\s?意/ }).count(), 0)

  const { page: second } = await people({ as: 'finance', height: 1200 })
  await budgets(second)
  const asked = second.getByRole('region', { name: '待审批的调拨' }).getByRole('listitem').filter({ hasText: '走查总预算' })
  await asked.getByText('补足办公用品').waitFor()
  await asked.getByRole('button', { name: /同\s?意/ }).click()
  await second.getByRole('tooltip').getByRole('button', { name: /确\s?定/ }).click()
  await heard(second, '已同意，额度已调拨')
  await budgets(page)

  await page.getByRole('button', { name: '走查部门预算额度的流水' }).click()
  const ledger = page.getByRole('dialog')
  await ledger.getByText('自“走查总预算”调入：补足办公用品（').waitFor()
  await ledger.getByText('+¥500.00').waitFor()
})

/** Lowers the running budget with these words in its name to what is used of it. Returns its name. */
async function useUp(page, words) {
  const { Items } = await call(page, 'GET', `Budget?When=current&Keyword=${encodeURIComponent(words)}`)
  const { Id, Name, Amount, Available } = Items.find((row) => row.Name.includes(words))
  await call(page, 'PATCH', `Budget/${Id}`, { Amount: (Amount - Available).toFixed(2), AmountSeen: Amount, Reason: '项目暂停' })
  return Name
}

journey('a used-up budget blocks in the cart; another budget needs an approval that says why', async (people) => {
  const { page: admin } = await people({ as: 'ga' })
  const name = await useUp(admin, '研发中心')
  const { page } = await people({ as: 'xl.jiang' })
  await call(page, 'POST', 'ShoppingCart/AddToCart', { Items: [{ ProductCode: PAPER, Quantity: 2 }] })
  const cart = new CartPage(page)
  await cart.open()
  await cart.chooseAll()
  await cart.foot.getByRole('alert').filter({ hasText: `预算“${name}”已用完` }).waitFor()

  await cart.checkout.click()
  const checkout = new CheckoutPage(page)
  await checkout.budget.getByText('超出预算，不能提交').waitFor()
  assert.ok(await checkout.submit.isDisabled())
  await checkout.useBudget('年度采购总预算')
  const reason = `预算“${name}”已用完，超出禁止下单，改用预算“`
  await checkout.approval.getByText(reason).waitFor()
  await checkout.submit.click()
  const orderNo = await new SubmittedPage(page).orderNo()

  // The head of the buyer's group decides.
  const { page: head } = await people({ as: 'xl.feng' })
  const approvals = new ApprovalsPage(head)
  await approvals.open(orderNo)
  await approvals.detail(orderNo).getByRole('region', { name: '审批原因' }).getByText(reason).waitFor()
  await approvals.approve(orderNo, '本月先用总预算')
})
