// The group and its departments, maintained by the administrator.
import assert from 'node:assert/strict'
import { heard } from './browser.mjs'
import { journey } from './people.mjs'

/** Adds two departments, finds one of them and merges it into the other. */
async function departments(page) {
  await page.goto('/userCenter/management/department')
  const tree = page.getByRole('region', { name: '部门树' })
  const detail = page.getByRole('region', { name: '部门详情' })
  const add = async (name, code) => {
    await page.getByRole('button', { name: '新增部门' }).click()
    const dialog = page.getByRole('dialog', { name: '新增部门' })
    await dialog.getByLabel('部门名称').fill(name)
    await dialog.getByLabel('部门编码').fill(code)
    await dialog.getByRole('button', { name: '保存' }).click()
    await detail.getByRole('heading', { name: new RegExp(name) }).waitFor()
  }
  await detail.waitFor()
  await add('会务中心', 'E2E-A')
  await add('接待组', 'E2E-B')
  await detail.getByText('会务中心').waitFor()
  await page.getByRole('searchbox', { name: '搜索部门' }).or(page.getByLabel('搜索部门')).first().fill('e2e-b')
  await tree.getByText('接待组').click()
  await detail.getByRole('button', { name: '合并' }).click()
  const merge = page.getByRole('dialog', { name: '合并部门' })
  await merge.getByLabel('并入部门').fill('会务中心')
  await page.locator('.ant-select-tree').getByText('会务中心').dispatchEvent('click')
  await merge.getByRole('button', { name: '合并' }).click()
  await detail.getByRole('heading', { name: /会务中心/ }).waitFor()
  await detail.getByRole('button', { name: '变更记录' }).click()
  assert.match(await page.getByRole('dialog', { name: /变更记录/ }).getByRole('listitem').first().innerText(), /接收“接待组”/)
}

journey('the group: a setting, its history, an enterprise whose credit code is checked; departments are added, found and merged', async (people) => {
  const { page } = await people({ as: 'other' })
  await page.goto('/userCenter/management/group')
  const settings = page.getByRole('region', { name: '集团设置' })
  await settings.getByLabel('至少需要审批').check()
  await settings.getByRole('button', { name: '保存设置' }).click()
  await heard(page, '集团设置已保存，立即生效')
  await page.getByRole('button', { name: '变更记录' }).first().click()
  const history = page.getByRole('dialog', { name: /变更记录/ })
  await history.getByText('至少需要审批').first().waitFor()
  await history.getByRole('button', { name: /关闭|Close/ }).click()
  await page.getByRole('button', { name: '新增企业' }).click()
  const dialog = page.getByRole('dialog', { name: '新增企业' })
  await dialog.getByLabel('企业名称').fill('星澜南京分公司')
  await dialog.getByLabel('企业编码').fill('XL-NJ')
  await dialog.getByLabel('统一社会信用代码').fill('91310000MA00090090')
  await dialog.getByLabel('统一社会信用代码').blur()
  await dialog.getByText('校验位不符，请核对统一社会信用代码').waitFor()
  await departments(page)
})
