import { settled } from '../browser.mjs'
import { figures } from '../money.mjs'

/**
 * Applies for one invoice over the whole invoiceable amount of the order. Returns the number of the application and the total of the
 * preview, in 分.
 */
export async function applyForInvoice(page, orderNo) {
  await page.goto(`/userCenter/invoice/index?OrderNo=${orderNo}`)
  await settled(page)
  await page.getByRole('button', { name: /^选择全部符合筛选的/ }).click()
  await page.getByRole('button', { name: '下一步：填写开票信息' }).click()
  const preview = page.getByRole('region', { name: '发票预览' })
  await preview.getByText('将开具 1 张发票').waitFor()
  const total = figures((await preview.innerText()).split('价税合计')[1])[0]
  await page.getByRole('radio', { name: '数电普票' }).check()
  await page.getByRole('button', { name: '提交申请' }).click()
  await page.getByRole('heading', { name: '开票申请已提交' }).waitFor()
  return { application: /KP\d+/.exec(await page.locator('main').innerText())[0], total }
}
