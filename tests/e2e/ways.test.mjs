// Navigation in the storefront: the list and back.
import assert from 'node:assert/strict'
import { DetailPage, ListPage } from './pages/shop.mjs'
import { journey } from './people.mjs'

journey('from the list to a product and back, the list keeps its filters and its place', async (people) => {
  const { page } = await people({ as: 'buyer' })
  await page.goto('/product/index?Sort=sales&PageIndex=2')
  const list = await new ListPage(page).shown()
  await list.sortByPrice()
  const product = list.cards.nth(12).getByRole('link').first()
  const wanted = await product.innerText()
  const shown = await list.cards.first().innerText()
  await product.scrollIntoViewIfNeeded()
  const address = page.url()
  const place = await page.evaluate('window.scrollY')
  assert.ok(place > 300, `${place} is not far down the list`)
  await product.click()
  await new DetailPage(page).name.filter({ hasText: wanted }).waitFor()
  await page.goBack()
  await list.shown()
  assert.equal(page.url(), address)
  assert.equal(await list.cards.first().innerText(), shown)
  await page.waitForFunction((was) => Math.abs(window.scrollY - was) < 40, place)
})
