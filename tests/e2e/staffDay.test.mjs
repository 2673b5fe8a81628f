// A day of the supplier's staff, each with his own rights: they confirm orders in bulk, ship by sheet, inspect a returned piece, issue an
// invoice, and match payments of a bank sheet. The counts of pending work go down.
import assert from 'node:assert/strict'
import { figures } from './money.mjs'
import { ordered } from './ordered.mjs'
import { askBack, sentBack } from './pages/afterSales.mjs'
import { applyForInvoice } from './pages/invoices.mjs'
import { OrderPage } from './pages/orders.mjs'
import { Office } from './pages/staff.mjs'
import { journey } from './people.mjs'

const PAPER = '120035'
const SHIP = 'orders/order/ship-by-sheet'
const today = () => new Date(Date.now() + 8 * 3_600_000).toISOString().slice(0, 10)

/** 客服: confirms both orders together and ships them with one sheet. The sheet is rejected while a row has too large a quantity. */
async function confirmAndShip(office, orders) {
  const before = await office.waiting()
  await office.confirmTogether(orders)
  const confirmed = await office.waiting()
  assert.deepEqual([confirmed.待确认, confirmed.待发货], [before.待确认 - 2, before.待发货 + 2])

  const rows = (await office.sheetOf(orders)).map((row) => ({ ...row, 承运商: '示例速运', 运单号: `SF-${row.订单号}` }))
  assert.deepEqual(rows.map((row) => [row.订单号, row.本次发货数量]).sort(), orders.map((orderNo) => [orderNo, 6]).sort())
  await office.upload(SHIP, [{ ...rows[0], 本次发货数量: 7 }, rows[1]])
  await office.says('alert', 'sheet.csv 有 1 处错误，整个文件都未发货')
  await office.page.getByRole('cell', { name: '最多还可发 6，请修改' }).waitFor()
  await office.upload(SHIP, rows)
  await office.says('status', '校验通过，尚未发货。2 张订单，2 张发货单，2 行共 12 件')
  await office.page.getByRole('button', { name: '确认发货 2 行' }).click()
  await office.says('status', '发货完成。2 张订单，2 张发货单，2 行共 12 件')
  assert.equal((await office.waiting()).待发货, before.待发货)
}

/** 客服: inspects a returned piece and refunds it. */
async function inspect(office, buyer, orderNo) {
  const { number, promised } = await askBack(buyer, orderNo)
  await office.document('aftersales/returnorder', number)
  await office.act('审核通过', { send_to: '苏州市示例路 66 号 售后组 0512-65550100' })
  await sentBack(buyer, `SF-BACK-${orderNo}`)
  await office.document('aftersales/returnorder', number)
  await office.act('确认收货')
  const before = await office.waiting()
  await office.document('aftersales/returnorder', number)
  for (const act of ['登记检测结果', '退款']) await office.act(act)
  assert.equal((await office.waiting()).待处理售后, before.待处理售后 - 1)
  await buyer.reload()
  await buyer.getByText(`已退款 ${promised}，请核对后确认`).waitFor()
  assert.match(await buyer.getByRole('region', { name: '售后商品' }).innerText(), new RegExp(`与申请相符[\\s\\S]*退款合计 ${promised.replaceAll('.', '\\.')}`))
}

/** 财务: issues the invoice that the customer's finance applied for. */
async function invoice(office, finance, orderNo) {
  const { application } = await applyForInvoice(finance, orderNo)
  const before = await office.waiting()
  await office.document('invoices/invoiceapplication', application)
  await office.act('审核通过')
  assert.equal((await office.waiting()).待审核开票, before.待审核开票 - 1)
  await office.becomes('invoices/invoiceapplication', application, '已开票')
}

/** 财务: imports the payment of an order from the bank sheet and matches it by its remark. */
async function match(office, orderNo) {
  await office.order(orderNo)
  const [owed] = figures((await office.page.locator('#content').innerText()).split('应付金额')[1])
  const serial = `DAY${Date.now()}`
  const row = { 流水号: serial, 到账日期: today(), 付款方户名: '星澜示例精工有限公司', 到账金额: (owed / 100).toFixed(2), 附言: `${orderNo} 货款` }
  await office.upload('invoices/bankreceipt/import', [row])
  await office.page.getByRole('button', { name: '确认导入 1 行' }).click()
  await office.says('status', '导入完成。银行到账：共 1 行，新增 1')
  const before = await office.waiting()
  await office.document('invoices/bankreceipt', serial)
  await office.act('匹配订单')
  assert.equal((await office.waiting()).待匹配到账, before.待匹配到账 - 1)
  await office.order(orderNo)
  await office.page.getByText('已结算').first().waitFor()
}

journey('staff confirm, ship by sheet, inspect, invoice and match, and less waits after each', async (people) => {
  const { page: buyer } = await people({ as: 'buyer' })
  const orders = [await ordered(buyer, PAPER, 6, '行政部'), await ordered(buyer, PAPER, 6, '行政部')]
  const service = await Office.as(people, 'ops.kefu')
  assert.equal(await service.opens('invoices/invoiceapplication'), false)
  await confirmAndShip(service, orders)
  for (const orderNo of orders) {
    const order = new OrderPage(buyer)
    await order.open(orderNo)
    await order.receive()
  }
  await inspect(service, buyer, orders[0])

  const money = await Office.as(people, 'ops.caiwu')
  assert.equal(await money.opens('approvals/approval'), false)
  const { page: finance } = await people({ as: 'finance' })
  await invoice(money, finance, orders[0])
  await match(money, orders[1])
})
