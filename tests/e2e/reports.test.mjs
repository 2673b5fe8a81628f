// The five reports as a controller reads them: one total in all of them and in their sheets, down to the order lines behind a figure and back,
// a view that a colleague opens, a subscription that sends its letter; nothing that axe finds.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { violations } from './axe.mjs'
import { heard, settled } from './browser.mjs'
import { journey } from './people.mjs'

const REPORTS = ['order', 'orderDetail', 'product', 'department', 'purchaser']
const YEAR = '?Period=year'
const fenOf = (text) => Math.round(Number(text.replaceAll(/[¥,]/g, '')) * 100)
/** What the column 含税金额 of a sheet's second page comes to in 分, and what its last row says of it; read by calamine. */
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

/** The total on top of the open report, in 分. */
const totalOf = async (page) => fenOf(await page.getByRole('definition').first().innerText())

/** What the rows of the exported sheet come to and its own total, in 分. */
async function exported(page) {
  const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: '导出', exact: true }).click()])
  return JSON.parse(execFileSync(process.env.PYTHON, ['-c', SUMMED, await file.path()]))
}

journey('one total in five reports and in their sheets', async (people) => {
  const { page } = await people({ as: 'finance', onlyLooks: true })
  const totals = []
  for (const name of REPORTS) {
    await open(page, `/userCenter/report/${name}${YEAR}`)
    assert.deepEqual(await violations(page), [])
    const total = await totalOf(page)
    assert.deepEqual(await exported(page), [total, total])
    totals.push(total)
  }
  assert.ok(totals[0] > 0)
  assert.equal(new Set(totals).size, 1)
})

journey('from a department down to its order lines, on to an order, and back', async (people) => {
  const { page } = await people({ as: 'finance', onlyLooks: true })
  await open(page, `/userCenter/report/department${YEAR}`)
  const row = page.getByRole('table').last().getByRole('row').filter({ has: page.getByRole('link') }).first()
  const amount = fenOf(/¥[\d,]+\.\d{2}/.exec(await row.innerText())[0])
  await row.getByRole('link').first().click()
  await page.getByRole('heading', { level: 1, name: '订单明细报表' }).waitFor()
  await settled(page)
  assert.equal(await totalOf(page), amount)
  await page.getByRole('link', { name: /^SO\d+/ }).first().click()
  await page.getByRole('heading', { level: 1 }).filter({ hasText: /SO\d+/ }).or(page.getByText(/订单号/).first()).first().waitFor()
  await page.goBack()
  await page.goBack()
  await page.getByRole('heading', { level: 1, name: '部门报表' }).waitFor()
  await settled(page)
  assert.equal(fenOf(/¥[\d,]+\.\d{2}/.exec(await row.innerText())[0]), amount)
})

journey('a view that is shared, opened by a colleague in one step, subscribed to and sent', async (people) => {
  const { page } = await people({ as: 'finance' })
  // Days that no view had before: a second try begins anew.
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
