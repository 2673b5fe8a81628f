// An order on three cost centres from a partial shipment to its statement: tracked, received with one piece missing, one piece returned, red
// invoice, refund. The order page shows every piece and every cent. The statement of the month and its export by cost centre match.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { PASSWORD, heard, settled } from './browser.mjs'
import { clockedMall } from './clock.mjs'
import { figures } from './money.mjs'
import { call, ordered } from './ordered.mjs'
import { askBack, numberOf, sentBack } from './pages/afterSales.mjs'
import { applyForInvoice } from './pages/invoices.mjs'
import { BackOffice, OrderPage } from './pages/orders.mjs'
import { journey } from './people.mjs'

const PAPER = '120035'
/** The cost centres of the order, with their percentages. */
const CENTERS = { 'CC-701': '33.33', 'CC-702': '33.33', 'CC-703': '33.34' }
/** All rows of the first sheet as JSON, read with calamine. */
const ROWS = `
import json, sys
from python_calamine import CalamineWorkbook
print(json.dumps(CalamineWorkbook.from_path(sys.argv[1]).get_sheet_by_index(0).to_python(), default=str))
`
const sum = (parts) => parts.reduce((total, part) => total + part, 0)

/** Reloads the page until the result of a scheduled job or of the gateway shows. */
async function comes(page, wanted) {
  for (const until = Date.now() + 120_000; Date.now() < until;) {
    await page.reload()
    await settled(page)
    if (await wanted.first().waitFor({ timeout: 1500 }).then(() => true, () => false)) return
  }
  throw new Error(`it has not come: ${wanted}`)
}

/** The first parcel has four pieces. The buyer reports one of them as missing. Returns the number of the return that this opens. */
async function receiveShort(page, orderNo) {
  await new OrderPage(page).open(orderNo)
  await comes(page, page.getByRole('list', { name: 'SF-HALF 的物流轨迹' }).getByText('快件已揽收'))
  await page.getByRole('button', { name: '确认收货' }).first().click()
  const dialog = page.getByRole('dialog', { name: '确认收货' })
  await dialog.getByRole('button', { name: '有少件或破损' }).click()
  await dialog.getByRole('textbox', { name: /的少件数量$/ }).fill('1')
  await dialog.getByLabel('情况说明').fill('箱内只有三包')
  await dialog.getByRole('button', { name: '确认收到 1 种商品' }).click()
  const opened = page.getByRole('dialog', { name: '已确认收货' })
  assert.match(await opened.innerText(), /少件 1 件/)
  await opened.getByRole('link', { name: /售后单 TH\d+/ }).click()
  return numberOf(page)
}

async function confirmReturn(page, number) {
  await page.goto(`/userCenter/order/afterSales/${number}`)
  await page.getByRole('button', { name: '确认完成' }).click()
  await page.getByRole('dialog', { name: '确认完成' }).getByRole('button', { name: '确认完成' }).click()
  await heard(page, '售后已完成')
}

/** Returns one of the remaining pieces as broken. Returns the number of the return. */
async function sendBack(page, orderNo, office) {
  const { number } = await askBack(page, orderNo)
  await office.document('aftersales/returnorder', number)
  await office.act('审核通过', { send_to: '苏州市示例路 66 号 售后组 0512-65550100' })
  await sentBack(page, 'SF-BACK')
  await comes(page, page.getByRole('list', { name: 'SF-BACK 的物流轨迹' }).getByText('快件已揽收'))
  await office.page.reload()
  for (const act of ['确认收货', '登记检测结果']) await office.act(act)
  await office.act('退款', {}, '已转红冲，红冲完成后自动退款')
  await comes(page, page.getByText('商品已开票，发票红冲完成后自动退款'))
  return number
}

/** Returns the amounts on the order page, in 分. */
async function trace(page, orderNo) {
  await new OrderPage(page).open(orderNo)
  const sums = page.getByLabel('金额合计')
  await sums.waitFor()
  const names = ['delivered', 'returned', 'payable', 'invoiced', 'uninvoiced', 'paid', 'owed']
  const parts = figures(await sums.innerText())
  return Object.fromEntries(names.map((name, at) => [name, parts[at]]))
}

/** Adds the cost centres to the group. Returns the field of an order that is split over them. */
async function splitOverCenters(people, mall) {
  const { page } = await people({ as: 'ga', baseURL: mall.url })
  const Parts = []
  for (const [Code, Percent] of Object.entries(CENTERS)) {
    const { Id } = await call(page, 'POST', 'Dimension', { Kind: 'cost_center', Code, Name: '走查中心' })
    Parts.push({ DimensionId: Id, Percent })
  }
  return { Allocations: [{ Kind: 'cost_center', Parts }] }
}

/** Checks the amounts by cost centre on the open statement and in their export, to the cent. Returns the sum of the order, in 分. */
async function checkCenters(page, orderNo) {
  const region = page.getByRole('region', { name: '成本中心分摊' })
  await region.getByText('CC-703').waitFor()
  const [file] = await Promise.all([page.waitForEvent('download'), region.getByRole('button', { name: '导出成本中心分摊' }).click()])
  const [head, ...rows] = JSON.parse(execFileSync(process.env.PYTHON, ['-c', ROWS, await file.path()]))
  assert.deepEqual(head, ['成本中心编码', '成本中心名称', '类型', '发生时间', '订单号', '摘要', '金额（含税）'])
  const parts = rows.map(([code, , kind, at, no, text, amount]) => ({ code, no, line: [kind, at, text].join(), fen: Math.round(amount * 100) }))
  for (const code of new Set(parts.map((part) => part.code))) {
    const [shown] = figures((await region.innerText()).split(code)[1])
    assert.equal(sum(parts.filter((part) => part.code === code).map(({ fen }) => fen)), shown, code)
  }
  const own = parts.filter(({ no }) => no === orderNo)
  for (const line of new Set(own.map((part) => part.line))) {
    const fens = Object.keys(CENTERS).map((code) => own.find((part) => part.line === line && part.code === code).fen)
    const third = Math.sign(sum(fens)) * Math.floor((Math.abs(sum(fens)) * 3333) / 10_000)
    assert.deepEqual(fens, [third, third, sum(fens) - 2 * third], line)
  }
  return sum(own.map(({ fen }) => fen))
}

journey('half a shipment, a short receipt, one piece back, a red invoice, a refund, and a statement that closes to the cent', async (people) => {
  const mall = await clockedMall(people)
  const { page: buyer } = await people({ as: 'buyer', baseURL: mall.url })
  const { page: finance } = await people({ as: 'finance', baseURL: mall.url })
  const { page: staff } = await people({ baseURL: mall.url })
  const office = new BackOffice(staff)
  await office.signIn('ops', PASSWORD)

  const orderNo = await ordered(buyer, PAPER, 6, '行政部', await splitOverCenters(people, mall))
  await office.order(orderNo)
  await office.act('确认订单')
  await office.act('发货', { carrier: '示例速运', tracking_no: 'SF-HALF', line_: '4' })
  const short = await receiveShort(buyer, orderNo)
  await office.document('aftersales/returnorder', short)
  for (const act of ['审核通过', '退款']) await office.act(act)
  await confirmReturn(buyer, short)
  await office.order(orderNo)
  await office.act('发货', { carrier: '示例速运', tracking_no: 'SF-REST' })
  const order = new OrderPage(buyer)
  await order.open(orderNo)
  await order.receive()
  const received = await trace(buyer, orderNo)
  assert.equal(received.payable, received.delivered - received.returned)

  const { application, total } = await applyForInvoice(finance, orderNo)
  assert.equal(total, received.payable)
  await office.document('invoices/invoiceapplication', application)
  await office.act('审核通过')
  await finance.goto(`/userCenter/invoice/list?OrderNo=${orderNo}`)
  const issued = finance.getByRole('row', { name: /已开具/ })
  await comes(finance, issued)
  const [invoiceNo] = /\d{20}/.exec(await issued.innerText())

  const back = await sendBack(buyer, orderNo, office)
  await office.document('invoices/redletter', invoiceNo)
  await office.act('确认红冲')
  await comes(buyer, buyer.getByText('请核对后确认'))
  await confirmReturn(buyer, back)
  const done = await trace(buyer, orderNo)
  assert.deepEqual([done.payable, done.invoiced, done.uninvoiced], [done.delivered - done.returned, done.payable, 0])
  assert.equal(done.returned, (received.delivered - received.payable) * 2)

  const now = new Date()
  mall.set(`${new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1)).toISOString().slice(0, 10)} 10:00`)
  await finance.goto(`/userCenter/order/detail?OrderNo=${orderNo}`)
  const told = finance.getByRole('region', { name: '履约与结算跟踪' }).locator('tbody td:last-child')
  await comes(finance, told.getByText('待确认'))
  assert.equal(sum(figures((await told.allInnerTexts()).join(' '))), done.payable)
  await told.getByRole('link').first().click()
  const owed = finance.getByRole('region', { name: '应付金额' })
  const [opening, deliveries, returns, paid, closing] = figures(await owed.innerText())
  assert.equal(opening + deliveries - returns - paid, closing)
  await finance.getByRole('button', { name: '确认对账单' }).waitFor()
  assert.equal(await checkCenters(finance, orderNo), done.payable)
}, { timeout: 600_000 })
