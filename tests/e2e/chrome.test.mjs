// The frame of every page: banner, top bar, header, category menu, side bar, footer. One visit as a visitor and one as a buyer cover most
// of it.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { firstAnswer, PASSWORD, settled } from './browser.mjs'
import { groupsOf, menuOf, paneOf } from './pages/menu.mjs'
import { BackOffice } from './pages/orders.mjs'
import { Header } from './pages/shop.mjs'
import { journey } from './people.mjs'

const READ = `
import io, sys
from PIL import Image
import zxingcpp
for path in sys.argv[1:]: print(zxingcpp.read_barcodes(Image.open(io.BytesIO(bytes.fromhex(path))))[0].text)
`
/** Decodes QR codes in screenshots. */
const scanned = (pictures) => spawnSync(process.env.PYTHON, ['-c', READ, ...pictures.map((picture) => picture.toString('hex'))], { encoding: 'utf8' }).stdout.trim().split('\n')

journey('a visitor at home: his 15 groups with their numbers, the industrial mall, a banner closed for the session, the search that stays, the side bar', async (people) => {
  const { page, asked } = await people()
  const menu = await firstAnswer(page, '**/api/Category/MallCategories')
  await page.goto('/')
  const [{ C1, Category2List: [{ C2, Category3List: [{ C3 }] }] }] = (await menu.first).body.MsgBody
  const groups = await groupsOf(page)
  assert.equal(groups.length, 15)
  const drawn = await menuOf(page).getByRole('button').locator('svg:first-child path').evaluateAll((paths) => paths.map((path) => path.getAttribute('d')))
  assert.equal(new Set(drawn).size, 15)
  const outside = menuOf(page).getByRole('link', { name: '工业品' })
  assert.match(await outside.getAttribute('href'), /^https:/)
  assert.equal(await outside.getAttribute('target'), '_blank')
  await menuOf(page).getByRole('button', { name: groups[0] }).hover()
  for (const one of [C1, C2, C3]) await paneOf(page, groups[0]).getByRole('link', { name: `${one.Name}${one.ProductCounts}`, exact: true }).first().waitFor()

  const banner = page.getByRole('region', { name: '横幅', exact: true })
  await banner.getByRole('link').waitFor()
  await page.getByRole('button', { name: '关闭横幅' }).click()
  await banner.waitFor({ state: 'detached' })

  const bar = page.getByRole('complementary', { name: '快捷栏' })
  assert.equal(await bar.getByRole('link', { name: '购物车' }).getAttribute('href'), '/shop/cart')
  assert.match(await bar.getByRole('link', { name: '客服' }).getAttribute('href'), /^https:/)
  await page.locator('main article').first().waitFor()
  await page.evaluate('window.scrollTo(0, 900)')
  const header = new Header(page)
  await page.waitForFunction(() => document.querySelector('input[type="search"]').getBoundingClientRect().top < 40)
  assert.ok((await header.search.boundingBox()).y >= 0)
  await bar.getByRole('button', { name: '顶部' }).click()
  await page.waitForFunction(() => window.scrollY === 0)

  await page.evaluate('window.scrollTo(0, 900)')
  await header.find('中性笔')
  await page.reload()
  await page.locator('main article').first().waitFor()
  assert.equal(await banner.count(), 0)
  // Hot words, the switch to the old mall and the workbench are for signed-in users.
  assert.equal(await page.getByRole('group', { name: '热门搜索' }).count(), 0)
  assert.ok(!asked.some((line) => line.endsWith('/api/Product/SupposeCategory')))
  await page.getByRole('link', { name: '请登录' }).waitFor()
  assert.equal(await page.getByRole('button', { name: '返回旧版' }).count(), 0)
  assert.equal(await page.getByRole('link', { name: '我的工作台' }).count(), 0)
}, { pictures: true })

journey('off the home page the menu opens under the pointer and by keys, closes by Esc and by leaving, and the keys lead to a category', async (people) => {
  const { page, asked } = await people()
  await page.goto('/product/index')
  await settled(page)
  assert.ok(!asked.some((line) => line.includes('/panels.')))
  const button = page.getByRole('button', { name: '全部商品分类' })
  await button.hover()
  await menuOf(page).waitFor()
  await page.mouse.move(900, 700)
  await menuOf(page).waitFor({ state: 'detached' })
  await button.focus()
  await page.keyboard.press('Enter')
  await menuOf(page).waitFor()
  await page.keyboard.press('Escape')
  await menuOf(page).waitFor({ state: 'detached' })
  assert.equal(await button.evaluate((element) => element === document.activeElement), true)
  await page.keyboard.press('ArrowDown')
  const [first, second] = await groupsOf(page)
  await page.waitForFunction((name) => document.activeElement?.textContent === name, first)
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowRight')
  await page.waitForFunction(() => document.activeElement?.closest('[role="group"]'))
  assert.equal(await page.evaluate(() => document.activeElement.closest('[role="group"]').getAttribute('aria-label')), second)
  await page.keyboard.press('ArrowDown')
  const address = await page.evaluate(() => document.activeElement.getAttribute('href'))
  await page.keyboard.press('Enter')
  await page.waitForURL(`**${address}`)
  await menuOf(page).waitFor({ state: 'detached' })

  // The four groups of the site navigation.
  const navigation = page.getByRole('button', { name: '网站导航' })
  await navigation.focus()
  await page.keyboard.press('Enter')
  for (const title of ['第三方平台', '个人与企业', '批发市场', '集团网站']) await paneOf(page, title).getByRole('link').first().waitFor()
  await page.keyboard.press('Escape')
  await paneOf(page, '批发市场').waitFor({ state: 'detached' })
  await page.mouse.move(5, 600)
  await navigation.hover()
  await paneOf(page, '批发市场').waitFor()

  // The three QR codes contain the addresses that the staff configured.
  const opener = page.getByRole('button', { name: '手机端' })
  await opener.hover()
  // The footer has the same QR codes in a smaller size.
  const panel = page.locator('span', { has: opener })
  const pictures = []
  for (const name of ['安卓客户端', '微信公众号', '微信小程序']) {
    const code = panel.getByRole('img', { name: `${name}二维码` })
    await page.waitForFunction((image) => image.complete && image.naturalWidth > 0, await code.elementHandle())
    pictures.push(await code.screenshot())
  }
  assert.deepEqual(scanned(pictures), ['app/android', 'wechat/official', 'wechat/mini-program'].map((target) => `https://m.wencai.example/${target}`))

  await page.mouse.move(5, 600)
  await page.getByRole('button', { name: /^公告/ }).click()
  const dialog = page.getByRole('dialog', { name: '公告' })
  await dialog.getByText('之后的订单于次年首个工作日起按序发货').waitFor()
  await dialog.getByText('企业开户三步走').waitFor()
  assert.equal(await dialog.getByText('月结客户开票窗口提醒').count(), 0)
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  const footer = page.locator('footer')
  assert.equal(await footer.getByRole('img').count(), 3)
  assert.equal(await footer.getByRole('link', { name: '我的订单' }).count(), 0)
  await footer.getByRole('link', { name: '营业执照' }).click()
  await page.getByRole('heading', { level: 1, name: '营业执照' }).waitFor()
  await page.getByText('91310000000000000U', { exact: true }).waitFor()
}, { pictures: true })

journey('a buyer: 99+ at every cart, his 11 groups, hot words of three months, greeting, mark of his group, and his own footer', async (people) => {
  const { page } = await people({ as: 'buyer' })
  await page.route('**/api/ShoppingCart/Count', (route) => route.fulfill({ json: { MsgHeader: { Success: true, RetMessage: '' }, MsgBody: 100 } }))
  const hot = await firstAnswer(page, '**/api/Product/SupposeCategory')
  await page.goto('/')
  const { request, body } = await hot.first
  const { BeginTime, EndTime, TopN } = request.postDataJSON()
  const days = (EndTime - BeginTime) / 86_400_000
  assert.ok(days > 88 && days < 93, `${days} days`)
  assert.equal(TopN, 8)
  const words = body.MsgBody
  const links = page.getByRole('group', { name: '热门搜索' }).getByRole('link')
  await links.nth(words.length - 1).waitFor()
  assert.deepEqual(await links.allInnerTexts(), words.map(({ Keywords, IsHighlight }) => (IsHighlight ? `${Keywords}\n热` : Keywords)))
  assert.ok(words.length === 8 && words.some(({ IsHighlight }) => IsHighlight))

  const carts = page.getByRole('link', { name: /^购物车 ?99\+$/ })
  await carts.nth(2).waitFor()
  assert.equal(await carts.count(), 3)
  assert.equal((await groupsOf(page)).length, 11)
  assert.equal(await menuOf(page).getByRole('link', { name: '工业品' }).count(), 0)
  await page.getByText(/(?:夜深了|上午好|下午好|晚上好)，小林/).waitFor()
  assert.equal(await page.getByRole('link', { name: '我的工作台' }).first().getAttribute('href'), '/userCenter/index')
  for (const name of ['集团官网', 'English']) assert.match(await page.getByRole('link', { name }).first().getAttribute('href'), /^https:/)
  await page.getByRole('button', { name: '返回旧版' }).waitFor()
  await page.locator('header').getByRole('img', { name: '星澜示例制造集团' }).waitFor()
  const footer = page.locator('footer')
  for (const text of ['示例ICP备12345号', '示例B2-12345', '（演示站点）', '服务时间：工作日 9:00-18:00']) await footer.getByText(text).waitFor()
  assert.equal(await footer.getByRole('img').count(), 0)
  await footer.getByRole('link', { name: '我的订单' }).waitFor()
}, { pictures: true })

journey('the staff see a banner that is not published on the real page, and nobody else does', async (people) => {
  const { page: staff } = await people()
  await new BackOffice(staff).signIn('ops', PASSWORD)
  await staff.goto('/admin/content/banner/?q=年货节')
  await staff.getByRole('link', { name: '年货节·福利采购季' }).first().click()
  const address = await staff.locator('a[href$="/preview/"]').first().getAttribute('href')
  await staff.goto(address)
  await staff.getByText(/^站点在 .+含尚未发布的内容$/).waitFor()
  await staff.getByRole('button', { name: /年货节·福利采购季$/ }).waitFor()
  const { page: visitor } = await people()
  await visitor.goto('/')
  await visitor.getByRole('button', { name: /第 1 张/ }).waitFor()
  assert.equal(await visitor.getByRole('button', { name: /年货节/ }).count(), 0)
}, { pictures: true })
