// The screens of invoices and statements with data: titles, the application with its preview, records, one invoice and its files, a
// statement. axe finds nothing on any of them.
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { violations } from './axe.mjs'
import { PASSWORD, heard, settled } from './browser.mjs'
import { BackOffice } from './pages/orders.mjs'
import { journey } from './people.mjs'

const INDEX = '/userCenter/invoice/index'
const LIST = '/userCenter/invoice/list'
const STATEMENTS = '/userCenter/invoice/statement'

async function look(page) {
  await settled(page)
  assert.deepEqual(await violations(page), [])
}

/** Opens the newest issued invoice that is not a red invoice. */
async function openInvoice(page) {
  await page.goto(`${LIST}?Status=issued`)
  await look(page)
  await page.getByRole('row', { name: /已开具/ }).filter({ hasNotText: /红字|-¥/ }).first().getByRole('link').first().click()
  await page.getByRole('heading', { level: 1, name: /\d{20}/ }).waitFor()
  await look(page)
}

/** Downloads a file of the open invoice. Returns its bytes. */
async function fetched(page, name) {
  const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name }).click()])
  return readFile(await file.path())
}

journey('whoever keeps invoices: titles, an application to its preview, records, the files of an invoice', async (people) => {
  const { page } = await people({ as: 'finance', onlyLooks: true })
  await page.goto(INDEX)
  await look(page)
  await page.getByRole('button', { name: '管理抬头' }).click()
  await page.getByRole('dialog').getByText('91320500000000000R').first().waitFor()
  await look(page)
  await page.keyboard.press('Escape')

  await page.getByRole('table').getByRole('checkbox').nth(1).check()
  await page.getByRole('button', { name: '下一步：填写开票信息' }).click()
  const preview = page.getByRole('region', { name: '发票预览' })
  await preview.getByText('将开具 1 张发票，共 1 行').waitFor()
  assert.match(await preview.innerText(), /价税合计（大写）：[零壹贰叁肆伍陆柒捌玖拾佰仟万元角分整]+/)
  await look(page)

  await openInvoice(page)
  assert.equal((await fetched(page, /下载.*PDF/)).subarray(0, 5).toString(), '%PDF-')
  assert.match((await fetched(page, /下载.*XML/)).toString(), /<TotalTaxIncludedAmountInChinese>.+元/)
})

journey('a month that has ended opens each of its figures, and adds up', async (people) => {
  const { page } = await people({ as: 'finance', onlyLooks: true })
  await page.goto(STATEMENTS)
  await look(page)
  await page.getByRole('row', { name: /待确认|已确认/ }).first().getByRole('link').first().click()
  const owed = page.getByRole('region', { name: '应付金额' })
  await owed.waitFor()
  await look(page)
  const [opening, deliveries, returns, paid, closing] = [...(await owed.innerText()).matchAll(/(-?)¥([\d,]+)\.(\d{2})/g)].map(
    ([, minus, yuan, fen]) => (minus ? -1 : 1) * Number(`${yuan.replaceAll(',', '')}${fen}`),
  )
  assert.equal(opening + deliveries - returns - paid, closing)
  await owed.getByRole('button', { name: /本期签收/ }).click()
  await owed.getByRole('button', { name: /本期签收/, pressed: true }).waitFor()
  await look(page)
})

const PAPER = Buffer.from('%PDF-1.4\n1 0 obj\n<< >>\nendobj\n%%EOF\n')

journey('papers for special invoices are handed in again and approved; a red request is refused, and its reason read', async (people) => {
  const { page } = await people({ as: 'finance' })
  const { page: staff } = await people()
  const office = new BackOffice(staff)
  await office.signIn('ops', PASSWORD)

  await page.goto(`${INDEX}?Dialog=titles`)
  const title = page.getByRole('dialog', { name: '开票抬头' }).getByRole('listitem').filter({ hasText: '研发中心' })
  await title.getByRole('button', { name: '提交专票资质' }).click()
  const dialog = page.getByRole('dialog', { name: /提交专票资质/ })
  await dialog.locator('input[type=file]').setInputFiles({ name: '一般纳税人证明.pdf', mimeType: 'application/pdf', buffer: PAPER })
  await dialog.getByText('一般纳税人证明.pdf').first().waitFor()
  await dialog.getByRole('button', { name: '提交审核' }).click()
  await heard(page, '专票资质已提交')
  await office.document('invoices/specialqualification', '研发中心')
  await office.act('通过')
  await page.reload()
  await title.getByText('可开专票').first().waitFor()

  await openInvoice(page)
  const [invoiceNo] = /\d{20}/.exec(await page.getByRole('heading', { level: 1 }).innerText())
  await page.getByRole('button', { name: '申请红冲' }).click()
  await page.getByRole('dialog').getByRole('button', { name: '提交红冲申请' }).click()
  await heard(page, '红冲申请已提交')
  await office.document('invoices/redletter', invoiceNo)
  await office.act('否认', { reason: '已勾选认证，请先撤销勾选' })
  await page.reload()
  await page.getByText('确认单被否认：已勾选认证，请先撤销勾选').waitFor()
})
