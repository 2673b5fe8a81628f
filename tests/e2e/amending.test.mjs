// Partial decisions: an approver removes some lines and asks the requester. Both write comments on the approval.
import assert from 'node:assert/strict'
import { heard } from './browser.mjs'
import { ordered } from './ordered.mjs'
import { ApprovalsPage, OrderPage } from './pages/orders.mjs'
import { journey } from './people.mjs'

// The stock is large enough for all tests. The department head must approve forty pieces.
const PAPER = '120013'

const money = (text) => Number(/¥([\d,.]+)/.exec(text)[1].replaceAll(',', ''))

journey('an approver lowers a quantity, asks back, is answered, and rejects', async (people) => {
  const { page: buyer } = await people({ as: 'buyer' })
  const orderNo = await ordered(buyer, PAPER, 40, '行政部')
  const { page } = await people({ as: 'approver', height: 1200 })
  const approvals = new ApprovalsPage(page)
  await approvals.open(orderNo)
  const detail = approvals.detail(orderNo)
  const before = money(await detail.locator('header strong').innerText())

  await page.keyboard.press('e')
  const panel = detail.getByRole('region', { name: '调整数量' })
  const quantity = panel.getByRole('textbox').first()
  await quantity.fill('30')
  await quantity.press('Enter')
  await panel.getByText('应付总额').waitFor()
  const outcome = await panel.innerText()
  assert.match(outcome, /商品金额[\s\S]*应付总额[\s\S]*含本单预算可用[\s\S]*仍由您继续审批/)
  await panel.getByLabel('调整原因').fill('库房还有十包')
  await panel.getByRole('button', { name: '确认调整' }).click()
  await heard(page, '数量已调整')
  await detail.getByRole('region', { name: '调整记录' }).locator('s').first().waitFor()
  assert.match(await detail.getByRole('region', { name: '调整记录' }).innerText(), /原因：库房还有十包[\s\S]*40[\s\S]*30/)
  assert.equal(money(await detail.locator('header strong').innerText()) < before, true)

  // The panel closes after the page has read the approval again. The keys of the decision work from then on.
  await panel.waitFor({ state: 'detached' })
  await detail.getByRole('button', { name: '退回询问' }).waitFor()
  await page.keyboard.press('q')
  const asking = page.getByRole('dialog', { name: '退回询问' })
  await asking.getByLabel('要问的问题').fill('哪个会议室用？')
  await asking.getByRole('button', { name: '发送问题' }).click()
  await detail.getByRole('list', { name: '审批流程' }).getByText('待申请人答复').waitFor()

  const order = new OrderPage(buyer)
  await order.open(orderNo)
  const approval = buyer.getByRole('region', { name: '审批', exact: true })
  assert.match(await approval.innerText(), /哪个会议室用？[\s\S]*原因：库房还有十包/)
  await approval.getByLabel('您的答复').fill('三楼培训室 😀')
  await approval.getByRole('button', { name: '答复' }).click()
  await order.timeline.getByText('三楼培训室 😀').waitFor()
  for (const word of ['调整数量', '退回询问', '答复询问']) assert.match(await order.timeline.innerText(), new RegExp(word))

  await approvals.open(orderNo)
  const talk = detail.getByRole('region', { name: '讨论' })
  await talk.getByText('三楼培训室 😀').waitFor()
  await talk.getByLabel('写评论').pressSequentially('@')
  await talk.getByRole('option').first().waitFor()
  await page.keyboard.press('Enter')
  await page.keyboard.type('下次请合并采购')
  await page.keyboard.press('Control+Enter')
  await talk.locator('li').filter({ hasText: '下次请合并采购' }).waitFor()

  await page.keyboard.press('Escape')
  await detail.getByRole('button', { name: '驳回' }).click()
  const rejecting = page.getByRole('dialog', { name: '驳回订单' })
  await rejecting.getByLabel('驳回原因').fill('请与下月一起采购')
  await rejecting.getByRole('button', { name: '确认驳回' }).click()
  await heard(page, '已驳回')
})
