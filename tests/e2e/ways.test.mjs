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
  // The card of a family has the family's name, the page the product's own. The address is the same on both.
  const wanted = new URL(await product.getAttribute('href'), page.url()).pathname
  const shown = await list.cards.first().innerText()
  await product.scrollIntoViewIfNeeded()
  const address = page.url()
  const place = await page.evaluate('window.scrollY')
  assert.ok(place > 300, `${place} is not far down the list`)
  await product.click()
  await page.waitForURL((url) => url.pathname === wanted)
  await new DetailPage(page).name.waitFor()
  await page.goBack()
  await list.shown()
  assert.equal(page.url(), address)
  assert.equal(await list.cards.first().innerText(), shown)
  await page.waitForFunction((was) => Math.abs(window.scrollY - was) < 40, place)
})
