// What is around every page: banner, top bar, header, category menu, side bar, footer.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { heard, PASSWORD, settled } from './browser.mjs'
import { groupsOf, menuOf, paneOf } from './pages/menu.mjs'
import { BackOffice } from './pages/orders.mjs'
import { Header } from './pages/shop.mjs'
import { journey } from './people.mjs'

const READ = 'import io, sys; from PIL import Image; import zxingcpp; print(zxingcpp.read_barcodes(Image.open(io.BytesIO(sys.stdin.buffer.read())))[0].text)'
/** What a telephone reads in a picture of the screen. */
const scanned = (picture) => spawnSync('.venv/bin/python', ['-c', READ], { input: picture, encoding: 'utf8' }).stdout.trim()

/** Answers a call of the page with this body. */
const answer = (page, path, body) =>
  page.route(`**${path}`, (route) => route.fulfill({ json: { MsgHeader: { Success: true, RetMessage: '' }, MsgBody: body } }))

journey('above 99 the cart says 99+ in the top bar, the header and the side bar', async (people) => {
  for (const [count, badge] of [[100, '99+'], [99, '99']]) {
    const { page } = await people({ as: 'buyer' })
    await answer(page, '/api/ShoppingCart/Count', count)
    await page.goto('/product/index')
    const shown = page.getByRole('link', { name: new RegExp(`^购物车 ?${badge.replace('+', '\\+')}$`) })
    await shown.nth(2).waitFor()
    assert.equal(await shown.count(), 3)
  }
})

journey('a visitor has 15 groups with 15 pictures and the mall of industrial goods; who is signed in has 11 of his own', async (people) => {
  const { page: visitor } = await people()
  await visitor.goto('/')
  assert.equal((await groupsOf(visitor)).length, 15)
  const drawn = await menuOf(visitor).getByRole('button').locator('svg:first-child path').evaluateAll((paths) => paths.map((path) => path.getAttribute('d')))
  assert.equal(new Set(drawn).size, 15)
  const outside = menuOf(visitor).getByRole('link', { name: '工业品' })
  assert.match(await outside.getAttribute('href'), /^https:/)
  assert.equal(await outside.getAttribute('target'), '_blank')

  const { page: buyer } = await people({ as: 'buyer' })
  await buyer.goto('/')
  assert.equal((await groupsOf(buyer)).length, 11)
  assert.equal(await menuOf(buyer).getByRole('link', { name: '工业品' }).count(), 0)
})

journey('twenty groups of the server are cut to 15', async (people) => {
  const { page } = await people()
  const tree = Array.from({ length: 20 }, (_, at) => ({ C1: { CategoryId: `${at + 1}`, Name: `类${at}`, CategoryGroup: `组${at}`, ProductCounts: 1 }, Category2List: [] }))
  await answer(page, '/api/Category/MallCategories', tree)
  await page.goto('/product/index')
  await page.getByRole('button', { name: '全部商品分类' }).click()
  assert.deepEqual(await groupsOf(page), Array.from({ length: 15 }, (_, at) => `组${at}`))
})

journey('the second and third level say how many products they have', async (people) => {
  const { page } = await people()
  const asked = page.waitForResponse((response) => response.url().endsWith('/api/Category/MallCategories'))
  await page.goto('/')
  const [{ C1, Category2List: [{ C2, Category3List: [{ C3 }] }] }] = (await (await asked).json()).MsgBody
  const [name] = await groupsOf(page)
  await menuOf(page).getByRole('button', { name }).hover()
  for (const one of [C1, C2, C3]) await paneOf(page, name).getByRole('link', { name: `${one.Name}${one.ProductCounts}`, exact: true }).first().waitFor()
})

journey('off the home page the menu opens under the pointer and by a press, and closes by Esc and by leaving', async (people) => {
  const { page } = await people()
  await page.goto('/product/index')
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
})

journey('by the keyboard alone: into the menu, into its pane, along its links, and to a category', async (people) => {
  const { page } = await people()
  await page.goto('/product/index')
  await page.getByRole('button', { name: '全部商品分类' }).focus()
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
})

journey('the top banner, closed once, stays closed for this session of the browser and no longer', async (people) => {
  const { page } = await people()
  await page.goto('/')
  const banner = page.getByRole('region', { name: '横幅', exact: true })
  await banner.getByRole('link').waitFor()
  await page.getByRole('button', { name: '关闭横幅' }).click()
  await banner.waitFor({ state: 'detached' })
  await page.goto('/product/index')
  await page.getByRole('combobox', { name: '搜索商品' }).waitFor()
  assert.equal(await banner.count(), 0)
  const { page: another } = await people()
  await another.goto('/')
  await another.getByRole('region', { name: '横幅', exact: true }).waitFor()
})

for (const [width, device] of [[1440, 'desk'], [390, 'phone']]) {
  journey(`on a ${device} the search stays at the top of a scrolled page and searches from there`, async (people) => {
    const { page } = await people({ width })
    await page.goto('/')
    await page.locator('main article').first().waitFor()
    await page.evaluate('window.scrollTo(0, 900)')
    const { search } = new Header(page)
    await page.waitForFunction(() => document.querySelector('input[type="search"]').getBoundingClientRect().top < 40)
    assert.ok((await search.boundingBox()).y >= 0)
    await new Header(page).find('中性笔')
  })
}

journey('a search for nothing is refused in words', async (people) => {
  const { page } = await people()
  await page.goto('/product/index')
  await page.getByRole('combobox', { name: '搜索商品' }).fill('   ')
  await page.getByRole('button', { name: '搜索', exact: true }).click()
  await heard(page, '请输入搜索关键词')
  assert.equal(new URL(page.url()).search, '')
})

journey('hot words are for those who are signed in: eight of three months, the highlighted ones marked', async (people) => {
  const { page: visitor, asked } = await people()
  await visitor.goto('/product/index')
  await visitor.locator('main article').first().waitFor()
  await settled(visitor)
  assert.equal(await visitor.getByRole('group', { name: '热门搜索' }).count(), 0)
  assert.ok(!asked.some((line) => line.endsWith('/api/Product/SupposeCategory')))

  const { page } = await people({ as: 'buyer' })
  const called = page.waitForResponse((response) => response.url().endsWith('/api/Product/SupposeCategory'))
  await page.goto('/product/index')
  const response = await called
  const { BeginTime, EndTime, TopN } = response.request().postDataJSON()
  const days = (EndTime - BeginTime) / 86_400_000
  assert.ok(days > 88 && days < 93, `${days} days`)
  assert.equal(TopN, 8)
  const words = (await response.json()).MsgBody
  const links = page.getByRole('group', { name: '热门搜索' }).getByRole('link')
  await links.nth(words.length - 1).waitFor()
  assert.deepEqual(await links.allInnerTexts(), words.map(({ Keywords, IsHighlight }) => (IsHighlight ? `${Keywords}\n热` : Keywords)))
  assert.ok(words.length === 8 && words.some(({ IsHighlight }) => IsHighlight))
})

journey('the top bar greets by nickname and leads to workbench, cart, the group, the English site and the old mall', async (people) => {
  const { page } = await people({ as: 'buyer' })
  await page.goto('/product/index')
  await page.getByText(/(?:夜深了|上午好|下午好|晚上好)，小林/).waitFor()
  assert.equal(await page.getByRole('link', { name: '我的工作台' }).first().getAttribute('href'), '/userCenter/index')
  for (const name of ['集团官网', 'English']) assert.match(await page.getByRole('link', { name }).first().getAttribute('href'), /^https:/)
  await page.getByRole('button', { name: '返回旧版' }).waitFor()
  const { page: visitor } = await people()
  await visitor.goto('/product/index')
  await visitor.getByRole('link', { name: '请登录' }).waitFor()
  assert.equal(await visitor.getByRole('button', { name: '返回旧版' }).count(), 0)
  assert.equal(await visitor.getByRole('link', { name: '我的工作台' }).count(), 0)
})

journey('the site navigation has its four groups; its code is fetched when somebody points at it', async (people) => {
  const { page, asked } = await people()
  await page.goto('/product/index')
  await settled(page)
  assert.ok(!asked.some((line) => line.includes('/panels.')))
  const button = page.getByRole('button', { name: '网站导航' })
  await button.focus()
  await page.keyboard.press('Enter')
  for (const title of ['第三方平台', '个人与企业', '批发市场', '集团网站']) await paneOf(page, title).getByRole('link').first().waitFor()
  await page.keyboard.press('Escape')
  await paneOf(page, '批发市场').waitFor({ state: 'detached' })
  await page.mouse.move(5, 600)
  await button.hover()
  await paneOf(page, '批发市场').waitFor()
})

journey('a telephone reads in the three codes where the staff want it to go', async (people) => {
  const { page } = await people()
  await page.goto('/product/index')
  const opener = page.getByRole('button', { name: '手机端' })
  await opener.hover()
  // The footer has the same codes, smaller.
  const panel = page.locator('span', { has: opener })
  const targets = { 安卓客户端: 'app/android', 微信公众号: 'wechat/official', 微信小程序: 'wechat/mini-program' }
  for (const [name, target] of Object.entries(targets)) {
    const code = panel.getByRole('img', { name: `${name}二维码` })
    await page.waitForFunction((image) => image.complete && image.naturalWidth > 0, await code.elementHandle())
    assert.equal(scanned(await code.screenshot()), `https://m.wencai.example/${target}`)
  }
})

journey('the footer shows the licences to all, the codes to visitors, and his own places to who is signed in', async (people) => {
  const { page: visitor } = await people()
  await visitor.goto('/product/index')
  const { page: buyer } = await people({ as: 'buyer' })
  await buyer.goto('/product/index')
  for (const page of [visitor, buyer]) {
    const footer = page.locator('footer')
    for (const text of ['示例ICP备00000000号', '示例B2-00000000', '（演示站点）', '服务时间：工作日 9:00-18:00']) await footer.getByText(text).waitFor()
  }
  assert.equal(await visitor.locator('footer').getByRole('img').count(), 3)
  assert.equal(await buyer.locator('footer').getByRole('img').count(), 0)
  await buyer.locator('footer').getByRole('link', { name: '我的订单' }).waitFor()
  assert.equal(await visitor.locator('footer').getByRole('link', { name: '我的订单' }).count(), 0)
  await visitor.locator('footer').getByRole('link', { name: '营业执照' }).click()
  await visitor.getByRole('heading', { level: 1, name: '营业执照' }).waitFor()
  await visitor.getByText('91310000000000000U', { exact: true }).waitFor()
})

journey('the side bar leads to the cart, to customer service and back to the top', async (people) => {
  const { page } = await people()
  await page.goto('/')
  const bar = page.getByRole('complementary', { name: '快捷栏' })
  assert.equal(await bar.getByRole('link', { name: '购物车' }).getAttribute('href'), '/shop/cart')
  assert.match(await bar.getByRole('link', { name: '客服' }).getAttribute('href'), /^https:/)
  await page.locator('main article').first().waitFor()
  await page.evaluate('window.scrollTo(0, 900)')
  await bar.getByRole('button', { name: '顶部' }).click()
  await page.waitForFunction(() => window.scrollY === 0)
})

journey('the mark of his group stands in the header of who is signed in', async (people) => {
  const { page } = await people({ as: 'buyer' })
  await page.goto('/product/index')
  await page.locator('header').getByRole('img', { name: '星澜示例制造集团' }).waitFor()
})

journey('announcements are read in full, those for visitors by visitors', async (people) => {
  const { page } = await people()
  await page.goto('/product/index')
  await page.getByRole('button', { name: /^公告/ }).click()
  const dialog = page.getByRole('dialog', { name: '公告' })
  await dialog.getByText('之后的订单于次年首个工作日起按序发货').waitFor()
  await dialog.getByText('企业开户三步走').waitFor()
  assert.equal(await dialog.getByText('月结客户开票窗口提醒').count(), 0)
})

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
})
