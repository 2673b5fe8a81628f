// 以图搜索: from a picture to a line in the cart.
import { heard } from './browser.mjs'
import { CartPage, ListPage } from './pages/shop.mjs'
import { journey } from './people.mjs'

/** A simulated screenshot of the product picture: the browser draws it with its own font on another background. */
async function screenshot(page, address) {
  const url = await page.evaluate(async (src) => {
    const picture = new Image()
    picture.src = src
    await picture.decode()
    const canvas = Object.assign(document.createElement('canvas'), { width: 420, height: 420 })
    const context = canvas.getContext('2d')
    context.fillStyle = '#e8eef4'
    context.fillRect(0, 0, 420, 420)
    context.drawImage(picture, 30, 20, 360, 360)
    return canvas.toDataURL('image/jpeg', 0.8)
  }, address)
  return Buffer.from(url.split(',')[1], 'base64')
}

journey('a picture becomes a list, its category is changed, and what it shows goes into the cart', async (people) => {
  const { page } = await people({ as: 'buyer' })
  const cart = new CartPage(page)
  await page.goto('/product/index')
  const list = await new ListPage(page).shown()
  const first = list.cards.filter({ has: page.getByRole('button', { name: '选规格' }) }).first()
  const name = await first.getByRole('link').first().innerText()
  const buffer = await screenshot(page, await first.locator('img').first().getAttribute('src'))

  await page.getByRole('button', { name: '以图搜索' }).click()
  const dialog = page.getByRole('dialog', { name: '以图搜索' })
  await dialog.getByLabel('选择要查找的图片').setInputFiles({ name: 'a.txt', mimeType: 'text/plain', buffer: Buffer.from('a') })
  await heard(page, '请上传图片文件')
  await dialog.getByLabel('选择要查找的图片').setInputFiles({ name: 'shot.jpg', mimeType: 'image/jpeg', buffer })

  const strip = page.getByRole('region', { name: '以图搜索' })
  await strip.getByRole('img', { name: '您上传的图片' }).waitFor()
  await strip.getByRole('button', { name: '不限类目' }).click()
  await strip.getByRole('button', { name: '不限类目', pressed: true }).waitFor()
  await list.shown('以图搜索的结果')
  await list.product(name).waitFor()
  await strip.getByRole('group', { name: '推测类目' }).getByRole('button').first().click()
  await page.locator('section[aria-label="商品列表"][aria-busy="false"]').waitFor()
  await page.reload()
  await list.product(name).waitFor()
  await list.cards.filter({ hasText: name }).first().getByRole('button', { name: '选规格' }).click()
  await page.getByRole('dialog', { name: '选择规格' }).getByRole('button', { name: '加入购物车', disabled: false }).click()
  await heard(page, '添加购物车成功')
  await cart.open()
  await page.getByRole('link', { name }).first().waitFor()
}, { pictures: true })
