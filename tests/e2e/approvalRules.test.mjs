// Approval rules of the administrator: edited as sentences, simulated, and kept in versions.
import assert from 'node:assert/strict'
import { heard } from './browser.mjs'
import { journey } from './people.mjs'

const RULES = '/userCenter/management/approval'
const card = (page, name) => page.getByRole('list', { name: '审批规则' }).getByRole('listitem', { name, exact: true })

async function open(page) {
  await page.goto(RULES)
  await page.getByRole('list', { name: '审批规则' }).waitFor()
}

/** A rule that matches no order of any other test. */
async function add(page, name) {
  await page.getByRole('button', { name: '新增规则' }).click()

  await page.getByRole('textbox', { name: '规则名称' }).fill(name)
  await page.getByRole('combobox', { name: '适用范围' }).fill('全集团')
  await page.locator('.ant-select-tree-node-content-wrapper', { hasText: '全集团' }).dispatchEvent('click')
  await page.getByRole('spinbutton', { name: '订单金额' }).fill('880000')
}

async function save(page) {
  await page.getByRole('list', { name: '规则检查' }).or(page.getByText('检查通过')).waitFor()
  await page.getByRole('button', { name: '保存规则' }).click()
}

async function remove(page, name) {
  await card(page, name).getByRole('button', { name: '删除' }).click()
  await page.getByRole('tooltip').getByRole('button', { name: '删除' }).dispatchEvent('click')
  await heard(page, '规则已删除，审批中的订单不受影响')
}

journey('a rule is written in sentences, tried on somebody, reads as it did in its versions, and a former one is brought back', async (people) => {
  const { page } = await people({ as: 'ga' })
  await open(page)
  await add(page, '特大额采购')
  await save(page)
  await heard(page, '规则已保存，从下一张订单起生效')
  await card(page, '特大额采购').getByText('订单金额达到 ¥880,000.00').waitFor()

  await page.getByRole('button', { name: '模拟审批' }).click()
  await page.getByRole('combobox', { name: '申请人' }).fill('buyer')
  await page.locator('.ant-select-item-option', { hasText: 'buyer' }).first().dispatchEvent('click')
  await page.getByRole('spinbutton', { name: '订单金额' }).fill('880000')
  await page.getByRole('button', { name: '开始模拟' }).click()
  const result = page.getByRole('region', { name: '模拟结果' })
  await result.getByText('需要审批').first().waitFor()
  assert.match(await result.getByRole('listitem').filter({ hasText: '特大额采购' }).last().innerText(), /订单金额达到 ¥880,000\.00/)
  await page.getByRole('button', { name: /关闭|Close/i }).first().click()

  await card(page, '特大额采购').getByRole('button', { name: '修改' }).click()
  await page.getByRole('spinbutton', { name: '订单金额' }).fill('990000')
  await save(page)
  await card(page, '特大额采购').getByText('订单金额达到 ¥990,000.00').waitFor()
  await card(page, '特大额采购').getByRole('button', { name: '更多' }).click()
  await page.getByRole('menuitem', { name: '版本记录（第 2 版）' }).press('Enter')
  const versions = page.getByRole('list', { name: '版本' })
  await versions.getByText('第 1 版').waitFor()
  assert.match(await versions.innerText(), /触发条件\s+订单金额达到 ¥880,000\.00\s+订单金额达到 ¥990,000\.00/)
  await versions.getByRole('listitem').filter({ hasText: '第 1 版' }).getByRole('button', { name: '恢复此版本' }).click()
  await page.getByRole('tooltip').getByRole('button', { name: '恢复', exact: true }).click()
  await heard(page, '已恢复第 1 版的内容')
  await card(page, '特大额采购').getByText('订单金额达到 ¥880,000.00').waitFor()
  await remove(page, '特大额采购')
})
