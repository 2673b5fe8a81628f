// The main process on its screens: buyer, approver, staff, buyer.
import assert from 'node:assert/strict'
import { PASSWORD } from './browser.mjs'
import { LoginPage } from './pages/login.mjs'
import { ApprovalsPage, BackOffice, OrderPage } from './pages/orders.mjs'
import { CartPage, CheckoutPage, DetailPage, Header, SubmittedPage } from './pages/shop.mjs'
import { journey } from './people.mjs'

/** The buyer finds a product, sees the approver and the reason at checkout, and submits. Returns the number of the order. */
async function buy(page) {
  await new LoginPage(page).signIn('buyer')

  const found = await new Header(page).find('复印纸')
  await found.product('复印纸').click()
  const name = await new DetailPage(page).put(17)

  const cart = new CartPage(page)
  await cart.open()
  assert.equal(await cart.quantityOf(name).inputValue(), '17')
  await cart.chooseOnly(name)
  await cart.checkout.click()

  const checkout = new CheckoutPage(page)
  await checkout.useBudget('行政部')
  await checkout.approval.getByText('需要审批').waitFor()
  assert.match(await checkout.approval.innerText(), /满 2,000 元部门负责人审批/)
  assert.match(await checkout.approval.innerText(), /周主任/)
  const { total, before, after } = await checkout.figures()
  assert.equal(after, before - total)
  await checkout.submit.click()

  const orderNo = await new SubmittedPage(page).orderNo()
  assert.match(await page.locator('main').innerText(), /周主任（周建国） 审批/)
  return orderNo
}

/** The department head sees why he must approve, and approves. */
async function approve(page, orderNo) {
  await new LoginPage(page).signIn('approver')
  const approvals = new ApprovalsPage(page)
  await approvals.open(orderNo)
  assert.match(await approvals.detail(orderNo).innerText(), /满 2,000 元部门负责人审批/)
  await approvals.approve(orderNo, '同意采购')
}

/** The supplier's staff confirm the order and ship all of it. */
async function ship(page, orderNo) {
  const office = new BackOffice(page)
  await office.signInByForm('ops', PASSWORD)
  await office.order(orderNo)
  await office.act('确认订单')
  await office.act('发货', { carrier: '文采物流', tracking_no: 'WC0000000001' })
}

journey('sign in, find, order, approve, ship, receive', async (people) => {
  const buyer = (await people()).page
  const orderNo = await buy(buyer)
  await approve((await people()).page, orderNo)
  await ship((await people()).page, orderNo)

  const order = new OrderPage(buyer)
  await order.open(orderNo)
  assert.match(await order.shipments.innerText(), /文采物流\s*WC0000000001/)
  await order.receive()
  await order.heading.getByText('已完成').waitFor()
  for (const word of ['周主任（周建国）', '同意采购']) assert.match(await order.timeline.innerText(), new RegExp(word))
})
