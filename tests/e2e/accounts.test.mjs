// The management centre: accounts are created and given roles. newCompany.test.mjs covers the sheet and the link of an invitation.
import assert from 'node:assert/strict'
import { heard, PASSWORD } from './browser.mjs'
import { journey } from './people.mjs'

async function accounts(page, query = '') {
  await page.goto(`/userCenter/management/account${query}`)
  await page.getByRole('heading', { level: 1, name: '账号管理' }).waitFor()
  await page.getByRole('table').first().waitFor()
}

journey('an administrator opens an account and is shown the link for its owner', async (people) => {
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
  assert.match(await told.innerText(), /http\S+#account=e2e\.new&code=[0-9A-Z]{12}/)
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
