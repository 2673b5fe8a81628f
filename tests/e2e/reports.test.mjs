// The five reports for a controller: the same total in all of them and their sheets, the drill-down to order lines and back, a shared view,
// a subscription that sends its mail. axe finds nothing.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { violations } from './axe.mjs'
import { heard, settled } from './browser.mjs'
import { journey } from './people.mjs'

const REPORTS = ['order', 'orderDetail', 'product', 'department', 'purchaser']
const YEAR = '?Period=year'
const fenOf = (text) => Math.round(Number(text.replaceAll(/[¥,]/g, '')) * 100)
/** The sum of the column 含税金额 on the second sheet in 分, and the total in its last row, read with calamine. */
const SUMMED = `
import json, sys
from python_calamine import CalamineWorkbook
book = CalamineWorkbook.from_path(sys.argv[1])
rows = book.get_sheet_by_name(book.sheet_names[1]).to_python()
at = rows[0].index("含税金额")
fen = [round(row[at] * 100) for row in rows[1:]]
print(json.dumps([sum(fen[:-1]), fen[-1]]))
`

async function open(page, address) {
  await page.goto(address)
  await page.getByText('含税金额', { exact: true }).first().waitFor()
  await settled(page)
}

/** The total at the top of the open report, in 分. */
const totalOf = async (page) => fenOf(await page.getByRole('definition').first().innerText())

/** The sum of the rows of the exported sheet and its own total, in 分. */
async function exported(page) {
  const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: '导出', exact: true }).click()])
  return JSON.parse(execFileSync(process.env.PYTHON, ['-c', SUMMED, await file.path()]))
}

journey('from a department down to its order lines, on to an order, and back', async (people) => {
  const { page } = await people({ as: 'finance', onlyLooks: true })
  await open(page, `/userCenter/report/department${YEAR}`)
  const row = page.getByRole('table').filter({ has: page.getByRole('link') }).last().getByRole('row').filter({ has: page.getByRole('link') }).first()
  const amount = fenOf(/¥[\d,]+\.\d{2}/.exec(await row.innerText())[0])
  // The amount with the departments below leads to the lines of all of them.
  await row.getByRole('link', { name: /^¥/ }).first().click()
  await page.getByRole('heading', { level: 1, name: '订单明细报表' }).waitFor()
  await settled(page)
  assert.equal(await totalOf(page), amount)
  await page.getByRole('link', { name: /^SO\d+/ }).first().click()
  await page.waitForURL(/\/userCenter\/order\/detail.*SO\d+/)
  await page.goBack()
  await page.goBack()
  await page.getByRole('heading', { level: 1, name: '部门报表' }).waitFor()
  await settled(page)
  assert.equal(fenOf(/¥[\d,]+\.\d{2}/.exec(await row.innerText())[0]), amount)
})

/** Whether the table header is directly below the shop header, and the totals are at the bottom of the window. */
const held = () => {
  const place = (selector) => document.querySelector(selector)?.getBoundingClientRect() ?? {}
  const [head, sums, shop] = [place('.ant-table-header'), place('div.ant-table-summary'), place('header')]
  return [head.top - shop.bottom, innerHeight - sums.bottom].every((gap) => gap > -1 && gap < 2)
}

/** Scrolls: the totals and the header of the table stay in sight while the rows pass. */
async function scrolls(page) {
  await page.locator('.ant-table-body tbody tr').nth(9).scrollIntoViewIfNeeded()
  const row = await page.locator('.ant-table-body tbody tr').first().elementHandle()
  await page.waitForFunction((first) => first.getBoundingClientRect().bottom < document.querySelector('header').getBoundingClientRect().bottom, row)
  // The shop header shrinks while the page scrolls.
  await page.waitForFunction(held)
}

/** On paper every column is there with its total. */
async function prints(page) {
  await page.emulateMedia({ media: 'print' })
  // A4 landscape without margins.
  await page.setViewportSize({ width: 1046, height: 718 })
  const cells = page.locator('tfoot td').filter({ hasText: '¥' })
  await page.waitForFunction(() => document.querySelectorAll('.ant-table table').length === 1)
  assert.equal(await cells.count(), 2)
  const ends = await cells.evaluateAll((all) => all.map((cell) => cell.getBoundingClientRect().right <= innerWidth))
  assert.deepEqual(ends, [true, true])
  await page.emulateMedia({ media: null })
}

/** A report response with amounts scaled up until the total is `most`, because the demo data has no such sums. */
const grown = (value, by) => {
  if (typeof value === 'string') return /^-?\d+\.\d{2}$/.test(value) ? (Number(value) * by).toFixed(2) : value
  if (Array.isArray(value)) return value.map((each) => grown(each, by))
  return value && typeof value === 'object' ? Object.fromEntries(Object.entries(value).map(([key, each]) => [key, key === 'Change' ? each : grown(each, by)])) : value
}

/** The table with sums of nine digits wants no scrolling sideways, beside the open menu and at 1280. */
async function fits(page, name) {
  await page.route(/\/api\/Report\/\w+\?.*Charts=/, async (route) => {
    const response = await route.fetch()
    const answer = await response.json()
    if (!answer.MsgBody) return route.fulfill({ response })
    return route.fulfill({ response, json: { ...answer, MsgBody: grown(answer.MsgBody, 876_543_210.98 / Number(answer.MsgBody.Totals.Amount)) } })
  })
  // Another period in the open page, without another load.
  await page.evaluate((address) => {
    history.pushState(history.state, '', address)
    dispatchEvent(new PopStateEvent('popstate', { state: history.state }))
  }, `/userCenter/report/${name}?Period=twelve_months`)
  await page.getByText('¥876,543,210.98').first().waitFor()
  for (const width of [1280, 1440]) {
    await page.setViewportSize({ width, height: 900 })
    await settled(page)
    const over = await page.evaluate(() => ((box) => box.scrollWidth - box.clientWidth)(document.querySelector('.ant-table-body')))
    assert.ok(over <= 1, `${name} at ${width}`)
  }
  await page.unrouteAll()
}

journey('one total in five reports and in their sheets; the table scrolls, prints and fits as it should', async (people) => {
  const { page } = await people({ as: 'finance', onlyLooks: true })
  const totals = []
  for (const name of REPORTS) {
    await open(page, `/userCenter/report/${name}${YEAR}`)
    assert.deepEqual(await violations(page), [])
    const total = await totalOf(page)
    assert.deepEqual(await exported(page), [total, total])
    totals.push(total)
    if (name === 'orderDetail') await scrolls(page)
    if (name === 'order') await prints(page)
    await fits(page, name)
  }
  assert.ok(totals[0] > 0)
  assert.equal(new Set(totals).size, 1)
})

journey('a view that is shared, opened by a colleague in one step, subscribed to and sent', async (people) => {
  const { page } = await people({ as: 'finance' })
  // Dates that no earlier view used, so that a retry starts fresh.
  const now = Date.now()
  const until = new Date(Date.UTC(2026, 0, 1) + (now % 300) * 86_400_000).toISOString().slice(0, 10)
  const kept = `Period=custom&From=2025-06-01&To=${until}&Sort=amount`
  const name = `商品 ${now % 1_000_000}`
  await open(page, `/userCenter/report/product?${kept}`)
  await page.getByRole('button', { name: '视图', exact: true }).click()
  await page.getByRole('button', { name: '保存当前筛选为视图' }).click()
  const dialog = page.getByRole('dialog', { name: '保存视图' })
  await dialog.getByLabel('视图名称').fill(name)
  await dialog.getByLabel(/共享给集团/).check()
  await dialog.getByRole('button', { name: /保\s?存/ }).click()
  await heard(page, '视图已保存')
  await page.getByRole('button', { name: `视图：${name}` }).waitFor()

  const { page: colleague } = await people({ as: 'ga', onlyLooks: true })
  await open(colleague, '/userCenter/report/product')
  await colleague.getByRole('button', { name: '视图', exact: true }).click()
  assert.deepEqual(await violations(colleague), [])
  await colleague.getByRole('link', { name }).click()
  await colleague.waitForURL((url) => url.search === `?${kept}`)

  await page.getByRole('button', { name: '订阅', exact: true }).click()
  const listed = page.getByRole('dialog', { name: '报表订阅' })
  await listed.getByRole('button', { name: '新建订阅' }).click()
  const made = page.getByRole('dialog', { name: '新建订阅' })
  await made.getByText(name).waitFor()
  await made.getByRole('button', { name: /保\s?存/ }).click()
  const row = listed.getByRole('row', { name: new RegExp(name) })
  await row.getByText('启用', { exact: true }).waitFor()
  assert.deepEqual(await violations(page), [])
  await row.getByRole('button', { name: '立即发送' }).click()
  await page.getByRole('tooltip').getByRole('button', { name: /确\s?定/ }).click()
  const history = page.getByRole('dialog', { name: `发送记录 · ${name}` })
  await history.getByText('许会计').waitFor()
})
