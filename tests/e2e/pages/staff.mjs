import { execFileSync } from 'node:child_process'
import { PASSWORD } from '../browser.mjs'
import { BackOffice } from './orders.mjs'

/** Returns the rows of the first sheet by header, read with calamine. */
const ROWS = `
import json, sys
from python_calamine import CalamineWorkbook
header, *rows = CalamineWorkbook.from_path(sys.argv[1]).get_sheet_by_index(0).to_python()
print(json.dumps([dict(zip(header, row)) for row in rows]))
`

/** A CSV as spreadsheet programs write it. */
function csv(rows) {
  const line = (cells) => cells.map((cell) => `"${String(cell).replaceAll('"', '""')}"`).join(',')
  const text = [line(Object.keys(rows[0])), ...rows.map((row) => line(Object.values(row)))].join('\r\n')
  return { name: 'sheet.csv', mimeType: 'text/csv', buffer: Buffer.from(`\uFEFF${text}`) }
}

/** /admin/ for the daily work of staff. */
export class Office extends BackOffice {
  /** Signs in as a staff member in a new profile. Pages without a right answer 403. */
  static async as(people, name) {
    const { page } = await people({ may: /status of 403/ })
    const office = new Office(page)
    await office.signIn(name, PASSWORD)
    return office
  }

  /** The counts of pending work, by the card titles of the first page without the text in brackets. */
  async waiting() {
    await this.page.goto('/admin/')
    const cards = await this.page.getByRole('navigation', { name: '今日工作' }).getByRole('link').allInnerTexts()
    return Object.fromEntries(cards.map((card) => /(待[^\s（]+|超时[^\s（]+|[^\s（]{4,})[^\n]*\n+(\d+)/.exec(card).slice(1, 3)).map(([title, number]) => [title, Number(number)]))
  }

  /** Whether the staff member may open a page of the back office. */
  opens = async (path) => (await this.page.goto(`/admin/${path}/`)).status() === 200

  /** Selects these orders in the list of pending `work`, and an action. The caller clicks the button. */
  async choose(work, orders, action) {
    await this.page.goto(`/admin/orders/order/?work=${work}`)
    for (const orderNo of orders) await this.page.locator('#result_list tbody tr', { hasText: orderNo }).getByRole('checkbox').check()
    await this.page.getByLabel('要执行的操作').selectOption({ label: action })
    return this.page.getByRole('button', { name: '执行', exact: true })
  }

  async confirmTogether(orders) {
    await (await this.choose('to_confirm', orders, '确认所选订单')).click()
    await this.page.getByRole('status').getByText(`${orders.length} 张订单已全部确认`).waitFor()
  }

  /** Downloads the sheet of these orders. Returns its rows. */
  async sheetOf(orders) {
    const run = await this.choose('to_ship', orders, '下载所选订单的发货表')
    const [file] = await Promise.all([this.page.waitForEvent('download'), run.click()])
    return JSON.parse(execFileSync(process.env.PYTHON, ['-c', ROWS, await file.path()]))
  }

  /** Uploads rows on an import page for the preview. */
  async upload(path, rows) {
    await this.page.goto(`/admin/${path}/`)
    await this.page.locator('input[type=file]').setInputFiles(csv(rows))
    await this.page.getByRole('button', { name: '上传并预览' }).click()
  }

  /** Waits for the message of the import page. */
  says = (role, text) => this.page.getByRole(role).getByText(text).waitFor()

  /** Reopens the document until it shows the text. The outbox updates it with a short delay. */
  async becomes(model, number, state) {
    for (let left = 60; left > 0; left -= 1) {
      await this.document(model, number)
      if (await this.page.getByText(state, { exact: true }).first().isVisible()) return
    }
    throw new Error(`${number} has not become ${state}`)
  }
}
