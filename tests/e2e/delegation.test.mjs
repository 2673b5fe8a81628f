// Approvals over days and working hours, with the test's own clock: a delegation between two dates, a reminder, an escalation.
import assert from 'node:assert/strict'
import { heard, settled } from './browser.mjs'
import { clockedMall, workingWeek } from './clock.mjs'
import { ordered } from './ordered.mjs'
import { awaitNotice } from './pages/notices.mjs'
import { ApprovalsPage, OrderPage } from './pages/orders.mjs'
import { journey } from './people.mjs'

// Twelve pieces exceed the amount that needs the approval of the department head.
const PAPER = '120035'
const INBOX = '/userCenter/order/approval'
const [MONDAY, TUESDAY, WEDNESDAY, THURSDAY, , , SUNDAY, NEXT] = workingWeek()

const signedIn = async (people, mall, name) => (await people({ as: name, baseURL: mall.url, height: 1200 })).page

const row = (page, orderNo) => page.getByRole('article').filter({ has: page.getByRole('checkbox', { name: `选择 ${orderNo}` }) })

/** Whether the order waits for the signed-in user. */
async function waits(page, orderNo) {
  await page.goto(INBOX)
  await settled(page)
  return (await page.getByRole('checkbox', { name: `选择 ${orderNo}` }).count()) === 1
}

/** Enters the dates in the drawer by keyboard. */
async function days(drawer, from, until) {
  for (const [at, day] of [from, until].entries()) {
    await drawer.getByPlaceholder(['开始日期', '结束日期'][at]).fill(day)
    await drawer.page().keyboard.press('Enter')
  }
}

async function standIn(people, mall) {
  mall.set(`${MONDAY} 09:30`)
  const buyer = await signedIn(people, mall, 'buyer')
  const first = await ordered(buyer, PAPER, 12)
  const page = await signedIn(people, mall, 'approver')
  await page.goto(INBOX)
  await page.getByRole('button', { name: '代理审批' }).click()
  const drawer = page.getByRole('dialog', { name: '代理审批' })
  await drawer.getByLabel('代理人').fill('xl.qian')
  await page.locator('.ant-select-item-option', { hasText: '老钱' }).dispatchEvent('click')
  await days(drawer, TUESDAY, TUESDAY)
  await drawer.getByLabel('原因（选填）').fill('出差')
  await drawer.getByRole('button', { name: '设置代理' }).click()
  await heard(page, '代理审批已设置')
  const kept = drawer.getByRole('list', { name: '代理记录' }).getByRole('listitem', { name: '老钱（钱立群） 代我审批' })
  assert.match(await kept.innerText(), new RegExp(`未开始\\s+${TUESDAY} 至 ${TUESDAY} · 出差`))

  await kept.getByRole('button', { name: '修改' }).click()
  await days(drawer, TUESDAY, WEDNESDAY)
  await drawer.getByRole('button', { name: '保存修改' }).click()
  await heard(page, '代理审批已修改')
  await kept.getByText(`${TUESDAY} 至 ${WEDNESDAY}`).waitFor()
  await kept.getByRole('button', { name: '变更记录' }).click()
  const history = page.getByRole('dialog', { name: /变更记录/ })
  assert.match(await history.getByRole('listitem').first().innerText(), new RegExp(`结束日\\s+${TUESDAY}[\\s→]+${WEDNESDAY}`))

  const deputy = await signedIn(people, mall, 'xl.qian')
  assert.equal(await waits(deputy, first), false)
  mall.set(`${WEDNESDAY} 10:00`)
  assert.equal(await waits(deputy, first), true)
  const approvals = new ApprovalsPage(deputy)
  await approvals.open(first)
  await approvals.detail(first).getByText('您正在代 周主任（周建国） 审批，记录中会注明').waitFor()
  await approvals.approve(first, '同意，代办')
  const order = new OrderPage(buyer)
  await order.open(first)
  assert.match(await order.timeline.innerText(), /老钱（钱立群） 代 周主任（周建国）/)
  for (const each of [page, deputy]) {
    await each.goto(`${INBOX}?Box=done`)
    await new ApprovalsPage(each).detail(first).getByText(/老钱（钱立群） 代 周主任（周建国） 审批 已同意/).waitFor()
  }

  const second = await ordered(buyer, PAPER, 12)
  assert.equal(await waits(deputy, second), true)
  mall.set(`${THURSDAY} 00:01`)
  assert.equal(await waits(deputy, second), false)
  assert.equal(await waits(page, second), true)
  await page.getByRole('button', { name: '代理审批' }).click()
  await kept.getByText('已结束').waitFor()
}

async function remind(people, mall) {
  mall.set(`${WEDNESDAY} 16:00`)
  const buyer = await signedIn(people, mall, 'buyer')
  const orderNo = await ordered(buyer, PAPER, 12)
  const page = await signedIn(people, mall, 'approver')
  mall.set(`${THURSDAY} 15:05`)
  await awaitNotice(page, new RegExp(`${orderNo} .*(催办|等待)`))
  assert.equal(await waits(page, orderNo), true)
  await row(page, orderNo).getByText('超时 · 已等 8 工作小时').waitFor()

  const above = await signedIn(people, mall, 'ga')
  assert.equal(await waits(above, orderNo), false)
  // Two hours of Wednesday plus two full days. The weekend does not count.
  mall.set(`${SUNDAY} 12:00`)
  assert.equal(await waits(page, orderNo), true)
  await row(page, orderNo).getByText('超时 · 已等 2 个工作日').waitFor()
  mall.set(`${NEXT} 13:05`)
  await awaitNotice(above, new RegExp(`${orderNo} 审批超时`))
  assert.equal(await waits(above, orderNo), true)
  const approvals = new ApprovalsPage(above)
  await approvals.open(orderNo)
  await approvals.detail(orderNo).getByText(/周主任（周建国） 超时未处理，.* 升级给 陈总/).waitFor()
  assert.equal(await waits(page, orderNo), true)
  const order = new OrderPage(buyer)
  await order.open(orderNo)
  for (const word of ['超时提醒', '超时升级']) assert.match(await order.timeline.innerText(), new RegExp(word))
}

journey('a stand-in approves on the days he was given; an approver is reminded after eight working hours, and after 24 somebody above is asked beside him', async (people) => {
  const mall = await clockedMall(people)
  await standIn(people, mall)
  await remind(people, mall)
}, { timeout: 480_000 })
