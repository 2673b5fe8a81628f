// Staff can browse the API in the browser in which they are signed in to the back office. Nobody else can.
import assert from 'node:assert/strict'
import { PASSWORD } from './browser.mjs'
import { journey } from './people.mjs'

/** Signs `ops` in to the back office. Returns the page. */
async function office(people) {
  const staff = await people({ may: /403/ })
  await staff.page.goto('/admin/login/?next=/admin/')
  await staff.page.fill('[name=username]', 'ops')
  await staff.page.fill('[name=password]', PASSWORD)
  await staff.page.press('[name=password]', 'Enter')
  await staff.page.waitForURL('**/admin/')
  return staff
}

journey('staff read and write the API in pages, and are told what only customers are answered', async (people) => {
  const { page } = await office(people)
  const answer = page.locator('.response-info')
  await page.goto('/api/Product?PageSize=10')
  assert.match(await answer.innerText(), /"RetCode": "ok"/)

  await page.goto('/api/Category/MallCategories')
  await page.fill('textarea[name=_content]', '{}')
  await page.getByRole('button', { name: 'POST' }).click()
  await answer.filter({ hasText: '"Category2List"' }).waitFor()

  await page.goto('/api/Order')
  assert.match(await answer.innerText(), /以客户身份登录/)
  assert.equal(await page.locator('textarea').count(), 0)

  const { page: visitor } = await people()
  const given = await visitor.goto('/api/Product?PageSize=10')
  assert.match(given.headers()['content-type'], /^application\/json/)
})
