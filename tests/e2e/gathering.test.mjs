// One checkout to several addresses, approved together. A buyer orders the requisition of a colleague who may only request; an approver adds
// a second one and sends a copy.
import assert from 'node:assert/strict'
import { violations } from './axe.mjs'
import { heard, settled } from './browser.mjs'
import { awaitNotice } from './pages/notices.mjs'
import { ApprovalsPage, OrderPage } from './pages/orders.mjs'
import { CartPage, CheckoutPage, DetailPage } from './pages/shop.mjs'
import { journey } from './people.mjs'

const PAPER = '/120035.html'

/** Runs axe on the page at the current width and at phone width. */
async function look(page) {
  await settled(page)
  assert.deepEqual(await violations(page), [])
  await page.setViewportSize({ width: 390, height: 844 })
  assert.deepEqual(await violations(page), [])
  await page.setViewportSize({ width: 1440, height: 900 })
}

/** Adds a quantity of a product to the cart and selects only it. Returns its name. */
async function choose(page, address, quantity) {
  await page.goto(address)
  const name = await new DetailPage(page).put(quantity)
  const cart = new CartPage(page)
  await cart.open()
  await cart.chooseOnly(name)
  return name
}

/** Returns the order numbers on the page after a submit. */
async function submitted(page) {
  const list = page.getByRole('list', { name: '同批订单' })
  await list.waitFor()
  return (await list.innerText()).match(/SO\d+/g)
}

journey('one checkout goes to two addresses as two orders, approved together', async (people) => {
  const { page } = await people({ as: 'buyer' })
  const name = await choose(page, PAPER, 20)
  await new CartPage(page).checkout.click()
  const checkout = new CheckoutPage(page)
  await checkout.useBudget('行政部')
  await page.getByRole('button', { name: '多地址收货' }).click()
  const [first, second] = [1, 2].map((nth) => page.getByRole('spinbutton', { name: `地址 ${nth}：${name}的数量` }))
  await first.fill('12')
  await page.getByText('还有 1 种商品未分配完').waitFor()
  await page.getByRole('group', { name: '地址 2' }).getByRole('button', { name: '剩余 8 放这里' }).click()
  assert.equal(await second.inputValue(), '8')
  await page.getByText('数量已全部分配').waitFor()
  await page.getByLabel('地址 2的成本中心').selectOption({ label: 'CC-1120 后勤保障组' })
  const { total } = await checkout.figures()
  await look(page)
  await checkout.submit.click()
  await page.getByRole('heading', { name: '已提交 2 张订单' }).waitFor()
  const numbers = await submitted(page)
  assert.equal(numbers.length, 2)
  await look(page)

  const order = new OrderPage(page)
  await order.open(numbers[0])
  const beside = page.getByRole('region', { name: '同批订单' })
  assert.match(await beside.innerText(), /CC-1120/)
  const parts = [...(await beside.innerText()).matchAll(/¥([\d,]+)\.(\d\d)/g)].map(([, yuan, fen]) => Number(yuan.replaceAll(',', '') + fen))
  assert.deepEqual([parts.length, parts[0] + parts[1]], [2, total])
  await look(page)

  const { page: decider } = await people({ as: 'approver' })
  await decider.goto('/userCenter/order/approval')
  await decider.getByRole('article').filter({ has: decider.getByRole('checkbox', { name: `选择 ${numbers[0]}` }) }).getByRole('link').click()
  const detail = decider.getByRole('article', { name: `审批 ${numbers[0]}` })
  await detail.getByRole('region', { name: '同批订单' }).getByText(numbers[1]).waitFor()
  await look(decider)
  await detail.getByRole('button', { name: '同意同批 2 张' }).click()
  await heard(decider, '已同意同批 2 张订单')
})

/** Chooses a colleague in a field of the open dialog and confirms. */
async function chooseColleague(dialog, label, colleague, confirm) {
  await dialog.getByLabel(label, { exact: true }).fill(colleague)
  await dialog.page().locator('.ant-select-item-option', { hasText: colleague }).dispatchEvent('click')
  await dialog.getByRole('button', { name: confirm }).click()
  await dialog.waitFor({ state: 'detached' })
}

/** The approver adds another one before himself and sends a copy. Both approve, and the colleague reads the copy. */
async function decideTogether(people, orderNo) {
  const { page } = await people({ as: 'approver', height: 1200 })
  const approvals = new ApprovalsPage(page)
  await approvals.open(orderNo)
  const detail = approvals.detail(orderNo)
  await detail.getByRole('button', { name: '加签' }).click()
  await chooseColleague(page.getByRole('dialog', { name: '加签' }), '加签给', '老钱', '确认加签')
  await detail.getByRole('button', { name: '撤回对 老钱（钱立群） 的加签' }).waitFor()
  assert.equal(await detail.getByRole('button', { name: '同意', exact: true }).count(), 0)
  const copies = detail.getByRole('region', { name: '抄送' })
  await copies.getByRole('button', { name: '抄送给同事' }).click()
  await chooseColleague(page.getByRole('dialog', { name: '抄送给同事' }), '抄送给', '小林', '确认抄送')
  await copies.getByText(/抄送 · 未读/).waitFor()

  const { page: added } = await people({ as: 'xl.qian' })
  const first = new ApprovalsPage(added)
  await first.open(orderNo)
  await first.approve(orderNo, '车间确实需要')
  await approvals.open(orderNo)
  await approvals.approve(orderNo, '同意')

  const { page: reader } = await people({ as: 'buyer' })
  await (await awaitNotice(reader, `订单 ${orderNo} 的审批抄送给您`)).click()
  const copy = new ApprovalsPage(reader).detail(orderNo)
  await copy.getByRole('list', { name: '审批流程' }).getByText(/老钱（钱立群） 已同意 .*车间确实需要/).waitFor()
  await copy.getByText(/抄送 · .*已读/).waitFor()
  await page.reload()
  await copies.getByText(/抄送 · .*已读/).waitFor()
}

journey('who may only request asks, a buyer orders part of it, two approvers agree; the rest goes back with a reason', async (people) => {
  const { page: colleague } = await people({ as: 'requester' })
  const product = await choose(colleague, PAPER, 20)
  assert.equal(await new CartPage(colleague).checkout.count(), 0)
  await colleague.getByRole('button', { name: '提交采购申请' }).click()
  const dialog = colleague.getByRole('dialog', { name: '提交采购申请' })
  await dialog.getByRole('combobox', { name: '成本中心' }).selectOption({ label: 'CC-1310 一车间' })
  await dialog.getByLabel('申请说明').fill('季度补货')
  await look(colleague)
  await dialog.getByRole('button', { name: '提交申请' }).click()
  await heard(colleague, '采购申请已提交')
  const mine = colleague.getByRole('listitem').filter({ hasText: 'CC-1310' }).first()
  const number = /PR\d+/.exec(await mine.innerText())[0]
  await look(colleague)

  const { page: buyer } = await people({ as: 'xl.zhou' })
  await buyer.goto('/userCenter/order/requisition?Box=todo')
  const card = buyer.getByRole('listitem', { name: `采购申请 ${number}` })
  await card.getByRole('checkbox', { name: `选择${product}` }).check()
  await card.getByRole('textbox', { name: `${product}的采购数量` }).fill('12')
  await card.getByRole('textbox', { name: `${product}的采购数量` }).press('Enter')
  await look(buyer)
  await buyer.getByRole('button', { name: '加入采购' }).click()
  await heard(buyer, '已加入购物车 1 项')
  const cart = new CartPage(buyer)
  await cart.open()
  await cart.chooseOnly(product)
  await cart.checkout.click()
  const checkout = new CheckoutPage(buyer)
  await checkout.reckoned()
  await look(buyer)
  await checkout.submit.click()
  await buyer.getByRole('heading', { name: '订单提交成功' }).waitFor()
  const orderNo = /SO\d+/.exec(await buyer.locator('main').innerText())[0]
  await new OrderPage(buyer).open(orderNo)
  assert.match(await buyer.getByRole('region', { name: '商品', exact: true }).innerText(), /佳宁[\s\S]*CC-1310/)
  await decideTogether(people, orderNo)

  await buyer.goto('/userCenter/order/requisition?Box=todo')
  await card.getByText('已下单 12，剩余 8').waitFor()
  await card.getByRole('button', { name: '退回' }).click()
  await buyer.getByRole('dialog').getByLabel('退回原因').fill('其余下季度再买')
  await buyer.getByRole('dialog').getByRole('button', { name: /退\s?回/ }).click()
  await card.waitFor({ state: 'detached' })

  await colleague.reload()
  await colleague.getByRole('listitem', { name: `采购申请 ${number}` }).getByText('其余下季度再买').waitFor()
  assert.match(await colleague.getByRole('listitem', { name: `采购申请 ${number}` }).innerText(), new RegExp(`已下单 12 .*${orderNo}`))
})
