// Notices: the count at the top, the newest below it, the notice page, the mail and its link.
import assert from 'node:assert/strict'
import { PASSWORD, settled } from './browser.mjs'
import { awaitMail, letters } from './mail.mjs'
import { ordered } from './ordered.mjs'
import { LoginPage } from './pages/login.mjs'
import { awaitNotice, INBOX } from './pages/notices.mjs'
import { ApprovalsPage } from './pages/orders.mjs'
import { journey } from './people.mjs'

// Twelve pieces exceed the amount that needs the approval of the department head. No other test orders this product.
const PAPER = '120035'
const bell = (page) => page.getByRole('button', { name: /^消息/ })

/** Returns the unread count after the page shows the same count as the server. */
async function unread(page) {
  await page.goto(INBOX)
  await settled(page)
  const { MsgBody } = await page.evaluate(async () => {
    const headers = { Authorization: `Bearer ${JSON.parse(localStorage.getItem('Token'))}` }
    return (await fetch('/api/Notice/UnreadCount', { headers })).json()
  })
  await page.getByRole('button', { name: new RegExp(`^消息\\s*${MsgBody.Count || ''}$`) }).waitFor()
  return MsgBody.Count
}

/** Returns the link in the mail about this order. */
async function mailedLink(orderNo) {
  const key = await awaitMail(() => letters('approver@xl.example').filter((text) => text.includes(`${orderNo} 等待您审批`)).map((text) => /\/mailLink#key=([\w-]{43})/.exec(text)?.[1]).find(Boolean), `about ${orderNo}`)
  return `/mailLink#key=${key}`
}

/** Opens the link of the mail in a signed-out browser and signs in. */
async function follow(page, link) {
  await page.goto(link)
  await page.getByRole('link', { name: '登录后继续' }).click()
  await new LoginPage(page).fill('approver', PASSWORD)
  await page.keyboard.press('Enter')
  await page.waitForURL(/\/userCenter\/order\/approval\/\d+$/)
}

journey('who approves is told by page and letter, the link is good once and decides nothing, who asked is told', async (people) => {
  const buyer = (await people({ as: 'buyer' })).page
  const before = await unread(buyer)
  const orderNo = await ordered(buyer, PAPER, 12, '行政部')

  const approver = (await people({ as: 'approver' })).page
  const notice = await awaitNotice(approver, new RegExp(`${orderNo} 等待您审批`))
  // The test waits for the mail first, because no mail is sent for a notice that was already read.
  const link = await mailedLink(orderNo)
  await notice.click()
  const approvals = new ApprovalsPage(approver)
  await approvals.detail(orderNo).getByRole('button', { name: '同意', exact: true }).waitFor()

  const { page } = await people()
  await follow(page, link)
  const decision = new ApprovalsPage(page)
  await decision.detail(orderNo).getByRole('button', { name: '同意', exact: true }).waitFor()
  await page.goto('/')
  await page.goto(link)
  await page.getByText(/使用过，每个链接只能使用一次/).waitFor()
  await page.getByRole('link', { name: '前往查看' }).click()
  await decision.approve(orderNo, '同意采购')

  const { page: other } = await people({ as: 'buyer', may: /status of 404/ })
  await other.goto(link)
  await other.getByText(/不是发给当前登录账号的/).waitFor()

  const heading = new RegExp(`${orderNo} 已通过审批`)
  await awaitNotice(buyer, heading)
  assert.equal(await unread(buyer), before + 1)
  await bell(buyer).click()
  await buyer.locator('[data-chrome]').getByRole('link', { name: heading }).click()
  await buyer.waitForURL(/OrderNo=/)
  assert.equal(await unread(buyer), before)
})
