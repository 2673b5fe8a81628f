// A new company: created by staff, set up from sheets by its administrator, until its first order is approved.
import assert from 'node:assert/strict'
import { PASSWORD, heard, settled } from './browser.mjs'
import { mailedLink } from './mail.mjs'
import { LoginPage } from './pages/login.mjs'
import { ApprovalsPage, BackOffice, OrderPage } from './pages/orders.mjs'
import { CartPage, CheckoutPage, DetailPage, Header, SubmittedPage } from './pages/shop.mjs'
import { journey } from './people.mjs'

const GROUP = '青禾集团'
const COMPANY = '青禾设计有限公司'
const ADMIN_MAIL = 'qh.admin@qinghe.example'
const OWN = 'qinghe-Mall-2026'
const YEAR = new Date().getFullYear()

/** Returns a 统一社会信用代码 with a valid check digit (GB 32100-2015). */
function creditCode(body) {
  const signs = '0123456789ABCDEFGHJKLMNPQRTUWXY'
  const sum = [...body].reduce((total, sign, index) => total + signs.indexOf(sign) * (3 ** index % 31), 0)
  return body + signs[(31 - (sum % 31)) % 31]
}

const CREDIT_CODE = creditCode('91310000MA1QH7J01')
const csv = (name, ...rows) => ({ name: `${name}.csv`, mimeType: 'text/csv', buffer: Buffer.from(rows.join('\n')) })
const DEPARTMENTS = '企业编码,部门编码,部门名称,上级部门编码,负责人账号,成本中心'
const ACCOUNTS = '账号*,昵称*,姓名,职务,手机号码,邮箱,企业编码*,部门编码*,角色'
const BUDGETS = '企业编码,部门编码,账号,预算名称,周期,期次,额度,超出策略,结转方式,结转上限'

/** Selects an option in a search field of the back office. */
async function choose(page, field, text) {
  await page.locator(`#id_${field} + .select2 .select2-selection`).click()
  await page.locator('.select2-search__field').last().fill(text)
  await page.locator('.select2-results__option[role=option]', { hasText: text }).first().click()
}

async function add(page, model, fields, chosen = {}) {
  await page.goto(`/admin/${model}/add/`)
  for (const [name, value] of Object.entries(fields)) await page.locator(`#id_${name}`).fill(value)
  for (const [name, text] of Object.entries(chosen)) await choose(page, name, text)
}

async function save(page) {
  await page.locator('button[name=_save]').click()
  await page.getByText(/成功添加/).first().waitFor()
}

/** Staff create the customer: group, legal entity with check digit, invoice title, a department, and the first administrator. */
async function begin(page) {
  await new BackOffice(page).signIn('ops', PASSWORD)
  await add(page, 'org/group', { code: 'QH', name: GROUP, short_name: '青禾' })
  await save(page)
  await add(page, 'org/enterprise', { code: 'QHSJ', name: COMPANY, credit_code: CREDIT_CODE }, { group: GROUP })
  await save(page)
  await add(page, 'org/invoicetitle', { title: COMPANY, tax_number: CREDIT_CODE }, { enterprise: COMPANY })
  await save(page)
  await add(page, 'org/department', { code: 'QH-00', name: '青禾总办' }, { enterprise: COMPANY })
  await save(page)
  await add(page, 'org/account', { username: 'qh.admin', nickname: '青管', email: ADMIN_MAIL }, { group: GROUP, department: '青禾总办' })
  await page.locator('#id_kind').selectOption('GA')
  await save(page)
}

/** Imports a sheet on the open screen. Accounts need the own password. */
async function take(page, sheet, button, password) {
  await page.getByRole('button', { name: '导入', exact: true }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('选择表格').setInputFiles(sheet)
  if (password) await dialog.getByLabel('您的登录密码').fill(password)
  await dialog.getByRole('button', { name: button }).click()
  await dialog.waitFor({ state: 'detached' })
}

async function departments(page) {
  await page.goto('/userCenter/management/department')
  await settled(page)
  await take(page, csv('部门', DEPARTMENTS, 'QHSJ,QH-01,设计部,,,CC01', 'QHSJ,QH-0101,平面组,QH-01,,CC02'), /^导入 2/)
  await page.getByRole('region', { name: '部门树' }).getByText('设计部').first().waitFor()
}

async function people(page) {
  await page.goto('/userCenter/management/account')
  await page.getByRole('table').first().waitFor()
  const rows = ['qh.head,青主任,,设计总监,,,QHSJ,QH-01,部门负责人', 'qh.buyer,青采,,设计助理,,,QHSJ,QH-0101,采购员']
  await take(page, csv('账号', ACCOUNTS, ...rows), '导入 2 个账号', OWN)
  await page.getByRole('row', { name: /qh\.buyer/ }).getByText('待激活').waitFor()
  // The head must have an account, so the sheet with the head is imported again.
  await page.goto('/userCenter/management/department')
  await settled(page)
  await take(page, csv('部门', DEPARTMENTS, 'QHSJ,QH-01,设计部,,qh.head,CC01', 'QHSJ,QH-0101,平面组,QH-01,qh.head,CC02'), /^导入 2/)
}

async function address(page) {
  await page.goto('/userCenter/management/address')
  await settled(page)
  await page.getByRole('button', { name: '新增地址' }).first().click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('使用范围').selectOption({ label: '集团共用' })
  await dialog.getByLabel('粘贴整段地址').fill('上海市浦东新区张江镇博云路2号3楼 青采 13800138000')
  await dialog.getByRole('button', { name: '智能识别' }).click()
  await dialog.getByLabel('收货人').and(page.locator('[value="青采"]')).waitFor()
  await dialog.getByRole('button', { name: '保存' }).click()
  await dialog.waitFor({ state: 'detached' })
}

async function rule(page) {
  await page.goto('/userCenter/management/approval')
  await settled(page)
  await page.getByRole('button', { name: '新增规则' }).first().click()
  await page.getByRole('textbox', { name: '规则名称' }).fill('满 50 元负责人审批')
  await page.getByRole('combobox', { name: '适用范围' }).fill('全集团')
  await page.locator('.ant-select-tree-node-content-wrapper', { hasText: '全集团' }).dispatchEvent('click')
  await page.getByRole('spinbutton', { name: '订单金额' }).fill('50')
  await page.getByRole('list', { name: '规则检查' }).or(page.getByText('检查通过')).waitFor()
  await page.getByRole('button', { name: '保存规则' }).click()
  await heard(page, '规则已保存')
}

async function budget(page) {
  await page.goto('/userCenter/asset/budget')
  await settled(page)
  await take(page, csv('预算', BUDGETS, `QHSJ,QH-01,,设计部年度预算,年度,${YEAR},5000.00,超出禁止下单,限额结转,500.00`), '导入 1 个预算')
  await page.getByRole('row', { name: /设计部年度预算/ }).getByText('限额结转（最多 ¥500.00）').waitFor()
}

/** The user sets his password with his link and is signed in. */
async function setPassword(own, link, name) {
  await own.goto(link)
  await own.getByLabel('新密码', { exact: true }).fill(OWN)
  await own.getByLabel('确认新密码').fill(OWN)
  await own.getByRole('button', { name: '重置密码' }).click()
  await own.getByRole('link', { name: '去登录' }).click()
  await new LoginPage(own).signIn(name, OWN)
}

/** The administrator invites a user. The user sets his password with the link and is signed in. */
async function invite(page, own, name, nickname) {
  await page.goto(`/userCenter/management/account?Keyword=${name}`)
  await page.getByRole('button', { name: `${nickname}的更多操作` }).click()
  await page.getByRole('menuitem', { name: '发送邀请' }).press('Enter')
  await page.getByLabel('您的登录密码').fill(OWN)
  await page.getByRole('dialog').getByRole('button', { name: '发送', exact: true }).click()
  const told = page.getByRole('dialog', { name: '临时验证码已生成' })
  await told.waitFor()
  const link = /http\S+#account=\S+?&code=[0-9A-Z]{12}/.exec(await told.innerText())[0]
  await setPassword(own, link, name)
}

/** The first order: the buyer finds the product, sees the budget and the required approval of the head, and submits. */
async function buy(page) {
  await (await new Header(page).find('中性笔')).product('中性笔').click()
  await new DetailPage(page).put(100)
  const cart = new CartPage(page)
  await cart.open()
  await cart.chooseAll()
  await cart.checkout.click()
  const checkout = new CheckoutPage(page)
  await checkout.approval.getByText('需要审批').waitFor()
  assert.match(await checkout.approval.innerText(), /满 50 元负责人审批[\s\S]*青主任/)
  await checkout.budget.getByText('设计部年度预算').waitFor()
  const { total, before, after } = await checkout.figures()
  assert.deepEqual([before, after], [500_000, 500_000 - total])
  await checkout.submit.click()
  return new SubmittedPage(page).orderNo()
}

journey('a company begins: staff, sheets, an address pasted, a rule, a budget, invitations, and its first order approved', async (open) => {
  const { page: staff } = await open()
  await begin(staff)

  const { page: admin } = await open({ height: 1200 })
  await setPassword(admin, await mailedLink(ADMIN_MAIL), 'qh.admin')
  await departments(admin)
  await people(admin)
  await address(admin)
  await rule(admin)
  await budget(admin)

  const { page: buyer } = await open()
  await invite(admin, buyer, 'qh.buyer', '青采')
  const { page: head } = await open()
  await invite(admin, head, 'qh.head', '青主任')

  const orderNo = await buy(buyer)
  const approvals = new ApprovalsPage(head)
  await approvals.open(orderNo)
  await approvals.approve(orderNo, '同意')

  await new BackOffice(staff).order(orderNo)
  await staff.getByText('待确认').first().waitFor()
  const order = new OrderPage(buyer)
  await order.open(orderNo)
  await order.heading.getByText('待确认').waitFor()
  assert.match(await order.timeline.innerText(), /青主任/)
})
