// The management centre: accounts are created, given roles and disabled. A sheet imports many accounts.
import assert from 'node:assert/strict'
import { heard, PASSWORD } from './browser.mjs'
import { journey } from './people.mjs'

const HEAD = '账号*,昵称*,姓名,职务,手机号码,邮箱,企业编码*,部门编码*,角色'
const NEW = 'fresh-Mall-2027'
const sheet = (...rows) => ({ name: '账号.csv', mimeType: 'text/csv', buffer: Buffer.from([HEAD, ...rows].join('\n')) })

async function accounts(page, query = '') {
  await page.goto(`/userCenter/management/account${query}`)
  await page.getByRole('heading', { level: 1, name: '账号管理' }).waitFor()
  await page.getByRole('table').first().waitFor()
}

async function deed(page, name, what) {
  await page.getByRole('button', { name: `${name}的更多操作` }).click()
  await page.getByRole('menuitem', { name: what }).press('Enter')
  const dialog = page.getByRole('dialog')
  await dialog.waitFor()
  return dialog
}

journey('an administrator opens an account; its owner sets a password by the link and is in', async (people) => {
  const { page } = await people({ as: 'ga', height: 1200 })
  await accounts(page)
  await page.getByRole('button', { name: '新增账号' }).first().click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('账号', { exact: true }).fill('e2e.new')
  await dialog.getByLabel('昵称').fill('小新')
  await dialog.getByLabel('部门', { exact: true }).fill('综合采购组')
  await page.getByTitle('综合采购组').last().dispatchEvent('click')
  await dialog.getByRole('radio', { name: '生成临时验证码' }).check()
  await dialog.getByLabel('您的登录密码').fill(PASSWORD)
  await dialog.getByRole('region', { name: '保存后，此人能看到' }).getByText('没有任何管理菜单').waitFor()
  await dialog.getByRole('button', { name: '新增', exact: true }).click()
  const told = page.getByRole('dialog', { name: '临时验证码已生成' })
  const link = /http\S+#account=e2e\.new&code=[0-9A-Z]{12}/.exec(await told.innerText())[0]

  const { page: own } = await people()
  await own.goto(link)
  await own.getByLabel('新密码', { exact: true }).fill(NEW)
  await own.getByLabel('确认新密码').fill(NEW)
  await own.getByRole('button', { name: '重置密码' }).click()
  await own.getByRole('heading', { name: '密码已重置' }).waitFor()
  await own.getByRole('link', { name: '去登录' }).click()
  await own.getByLabel('密码', { exact: true }).fill(NEW)
  await own.getByRole('button', { name: '登录', exact: true }).click()
  await own.getByText('小新').first().waitFor()
})

journey('a copied role is given to a person, and counts at once', async (people) => {
  const { page } = await people({ as: 'ga', height: 1200 })
  await page.goto('/userCenter/management/role')
  await page.getByRole('row', { name: /财务/ }).getByRole('button', { name: '复制' }).click()
  await page.getByLabel('新角色名称').fill('报表查看')
  await page.getByRole('dialog').getByRole('button', { name: '复制' }).click()
  await heard(page, '已复制为新角色')
  await page.getByRole('row', { name: /报表查看/ }).getByText('0 人').waitFor()

  await accounts(page, '?Keyword=xl.li')
  await page.getByRole('row', { name: /xl\.li/ }).getByRole('button', { name: '编辑' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('角色', { exact: true }).click()
  await dialog.getByLabel('角色', { exact: true }).fill('报表查看')
  await page.getByTitle('报表查看').last().dispatchEvent('click')
  await dialog.getByRole('region', { name: '保存后，此人能看到' }).getByText('发票中心').waitFor()
  await dialog.getByRole('button', { name: '保存' }).click()
  await heard(page, '账号已保存，权限即时生效')
  await page.getByRole('row', { name: /xl\.li/ }).getByText('报表查看').waitFor()
})

journey('a sheet with a wrong row brings nobody; put right, it brings all', async (people) => {
  const { page } = await people({ as: 'ga', height: 1200 })
  const place = 'XLJG,XLJG-0101'
  await accounts(page)
  await page.getByRole('button', { name: '导入', exact: true }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('选择表格').setInputFiles(sheet(`e2e.one,一号,,,,,${place},`, `e2e.two,,,,,,${place},没有的`))
  await dialog.getByText('没有角色“没有的”；请填写昵称').waitFor()
  assert.ok(await dialog.getByRole('button', { name: '导入', exact: true }).isDisabled())
  await dialog.getByLabel('选择表格').setInputFiles(sheet(`e2e.one,一号,,,,,${place},`, `e2e.two,二号,,,,,${place},采购员`))
  await dialog.getByRole('button', { name: '导入 2 个账号' }).click()
  await heard(page, '已导入 2 个账号')
  await page.getByRole('row', { name: /e2e\.two/ }).getByText('待激活').waitFor()
})

journey('who is disabled is out, and what waited for him is his colleague\'s', async (people) => {
  const { page } = await people({ as: 'ga', height: 1200 })
  const { page: own } = await people({ as: 'xl.zheng', may: /status of 401/ })
  await accounts(page, '?Keyword=xl.zheng')
  const dialog = await deed(page, '郑总', '停用')
  await dialog.getByText('还有 1 个审批等待处理，移交给').waitFor()
  await dialog.getByLabel(/移交给/).fill('ga')
  await page.getByTitle(/（ga）/).dispatchEvent('click')
  await dialog.getByRole('button', { name: '停用' }).click()
  await heard(page, '账号已停用')
  await page.getByRole('row', { name: 'xl.zheng' }).getByText('已停用').waitFor()
  await own.goto('/userCenter/order/index')
  await own.getByText(/重新登录/).first().waitFor()
})
