import { PASSWORD } from '../browser.mjs'

/** 以客户身份登录 in the back office: returns the one-time address. */
export async function addressToActAs(page, account, reason) {
  await page.goto('/admin/login/?next=/admin/org/account/')
  await page.locator('[name=username]').fill('ops')
  await page.locator('[name=password]').fill(PASSWORD)
  await page.locator('button[type=submit]').click()
  await page.getByRole('link', { name: account, exact: true }).click()
  await page.getByRole('link', { name: '以客户身份登录' }).click()
  await page.getByLabel('代登录原因').fill(reason)
  await page.getByRole('button', { name: '以客户身份登录' }).click()
  return page.getByRole('link', { name: '进入商城' }).getAttribute('href')
}
