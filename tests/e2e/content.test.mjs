// What the mall says about itself: the API's page, the old mall's stand-in, the footer, and a change by the staff.
import assert from 'node:assert/strict'
import { journey } from './people.mjs'

journey('the page of the API renders from this site alone and calls it', async (people) => {
  const { page } = await people()
  const outside = []
  page.on('request', (request) => {
    const { protocol, origin } = new URL(request.url())
    if (protocol.startsWith('http') && origin !== new URL(process.env.MALL_URL).origin) outside.push(request.url())
  })
  await page.goto('/api/docs')
  await page.locator('.opblock-summary', { hasText: '/api/Content/Footer' }).click()
  await page.getByRole('button', { name: 'Try it out' }).click()
  await page.getByRole('button', { name: 'Execute', exact: true }).click()
  await page.locator('.live-responses-table tbody .response-col_status', { hasText: /^200/ }).waitFor()
  assert.deepEqual(outside, [])
})

journey('the version switch takes a ticket to the old mall, once, and comes back without a loop', async (people) => {
  const { page } = await people({ as: 'buyer' })
  await page.goto('/')
  await page.getByRole('button', { name: '返回旧版' }).click()
  await page.getByText('票据有效：').waitFor()
  await page.reload()
  await page.getByText('票据已使用过').waitFor()
  await page.getByRole('link', { name: '返回新版商城' }).click()
  await page.getByRole('button', { name: '返回旧版' }).waitFor()
  assert.equal(new URL(page.url()).pathname, '/')
})

journey('footer and top bar show what the law and the customer ask for', async (people) => {
  const { page } = await people()
  await page.goto('/')
  const footer = page.locator('footer')
  for (const text of ['示例ICP备00000000号', '（演示站点）', '服务时间：工作日 9:00-18:00']) await footer.getByText(text).waitFor()
  await footer.getByRole('button', { name: '营业执照' }).click()
  await page.getByRole('dialog', { name: '营业执照' }).getByText('000000000000000000').waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: '网站导航' }).hover()
  for (const title of ['第三方平台', '个人与企业', '批发市场', '集团网站']) await page.getByText(title, { exact: true }).waitFor()
  await page.getByRole('button', { name: '手机端' }).hover()
  for (const name of ['安卓客户端', '微信公众号', '微信小程序']) {
    const code = await page.getByRole('img', { name: `${name}二维码` }).elementHandle()
    await page.waitForFunction((image) => image.complete && image.naturalWidth > 0, code)
  }
})
