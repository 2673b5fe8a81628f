// Approval on one page: prices beside the last ones, the requester's month, and a keyboard shortcut that asks before it decides.
import assert from 'node:assert/strict'
import { heard } from './browser.mjs'
import { journey } from './people.mjs'

const INBOX = '/userCenter/order/approval'

journey('an approver walks his decided approvals by keyboard', async (people) => {
  const { page } = await people({ as: 'xl.sun', onlyLooks: true })
  await page.goto(`${INBOX}?Box=done`)
  const links = page.getByRole('region', { name: '我已审批' }).getByRole('link')
  await page.getByRole('link', { name: '下一条', disabled: false }).waitFor()
  const second = await links.nth(1).getAttribute('href')

  await page.keyboard.press('j')
  await page.waitForURL(`**${second}`)
  await page.locator(`a[href="${second}"][aria-current="true"]`).waitFor()
  await page.getByRole('link', { name: '上一条', disabled: false }).waitFor()
  await page.keyboard.press('k')
  await page.waitForURL((url) => url.href.endsWith('Box=done') && !url.href.endsWith(second))
  await page.keyboard.press('a')
  assert.equal(await page.getByRole('dialog').count(), 0)
})

journey('he sees what it takes to decide, and approves by keyboard after being asked', async (people) => {
  const { page } = await people({ as: 'xl.sun' })
  await page.goto(INBOX)
  const detail = page.getByRole('article', { name: /^审批 SO/ })
  await detail.getByRole('region', { name: '商品' }).waitFor()
  const orderNo = (await detail.getAttribute('aria-label')).replace('审批 ', '')
  assert.match(await detail.getByRole('region', { name: '商品' }).innerText(), /(上次 ¥[\d,.]+ (持平|[高低] [\d.]+%)|本企业首次采购)\s+[\s\S]*市场价 ¥/)
  assert.match(await detail.getByRole('region', { name: '申请人当月' }).innerText(), /其他订单\s+\d+ 单[\s\S]*含本单\s+¥[\d,.]+/)
  assert.match(await detail.getByRole('list', { name: '审批流程' }).innerText(), /孙总\s+审批中/)

  await page.keyboard.press('r')
  const rejecting = page.getByRole('dialog', { name: '驳回订单' })
  await rejecting.getByLabel('驳回原因').fill('')
  await page.keyboard.type('ajk')
  assert.equal(await rejecting.getByLabel('驳回原因').inputValue(), 'ajk')
  await page.keyboard.press('Escape')
  await rejecting.waitFor({ state: 'detached' })

  await page.keyboard.press('a')
  const approving = page.getByRole('dialog', { name: '同意订单' })
  await approving.getByText(orderNo).waitFor()
  await page.keyboard.type('按计划采购')
  await page.keyboard.press('Enter')
  await heard(page, '已同意')
  await page.getByRole('article', { name: `审批 ${orderNo}` }).waitFor({ state: 'detached' })
})
