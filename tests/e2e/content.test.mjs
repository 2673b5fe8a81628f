// The API's page.
import assert from 'node:assert/strict'
import { journey } from './people.mjs'

journey('the page of the API renders from this site alone, in Chinese, and calls it', async (people) => {
  const { page } = await people()
  const outside = []
  page.on('request', (request) => {
    const { protocol, origin } = new URL(request.url())
    if (protocol.startsWith('http') && origin !== new URL(process.env.MALL_URL).origin) outside.push(request.url())
  })
  await page.goto('/api/docs')
  await page.locator('.opblock-tag', { hasText: '内容与帮助' }).click()
  await page.locator('.opblock-summary', { hasText: '/api/Content/Footer' }).click()
  await page.getByRole('button', { name: '试用' }).click()
  await page.getByRole('button', { name: '发送请求', exact: true }).click()
  await page.locator('.live-responses-table tbody .response-col_status', { hasText: /^200/ }).waitFor()
  assert.deepEqual(outside, [])
  assert.deepEqual(await page.locator('#swagger-ui').getByText(/^(Authorize|Parameters|Responses|Request body|Server response|Cancel|Clear)$/).allTextContents(), [])
})
