// The layouts: the menu of the user centre, the steps of the shop, and both at phone width.
import assert from 'node:assert/strict'
import { settled } from './browser.mjs'
import { groupsOf, menuOf, paneOf } from './pages/menu.mjs'
import { journey } from './people.mjs'

journey('the left menu is whole at 1440, folds at 1280, and stays as it was chosen; the steps of the shop say which one this is', async (people) => {
  const { page: wide } = await people({ as: 'buyer' })
  await wide.goto('/userCenter/order/index')
  const menu = (page) => page.getByRole('navigation', { name: '个人中心' })
  await menu(wide).getByRole('link', { name: '订单列表' }).waitFor()
  assert.deepEqual(await wide.getByRole('navigation', { name: '当前位置' }).getByRole('listitem').allInnerTexts(), ['首页', '我的订单', '订单列表'])

  const { page } = await people({ as: 'buyer', width: 1280 })
  await page.goto('/userCenter/order/index')
  await menu(page).getByRole('button', { name: '我的订单' }).hover()
  await menu(page).getByRole('link', { name: '订单审批' }).click()
  await page.getByRole('heading', { level: 1, name: '订单审批' }).waitFor()
  await menu(page).getByRole('button', { name: '展开菜单' }).click()
  await menu(page).getByRole('link', { name: '订单列表' }).waitFor()
  await page.reload()
  await menu(page).getByRole('link', { name: '订单列表' }).waitFor()

  await page.goto('/shop/cart')
  const steps = page.getByRole('list', { name: '购物步骤' }).getByRole('listitem')
  await steps.first().waitFor()
  assert.deepEqual(await steps.allInnerTexts(), ['1\n我的购物车', '2\n填写核对订单', '3\n订单提交成功'])
  assert.equal(await steps.first().getAttribute('aria-current'), 'step')
}, { pictures: true })

journey('on a phone nothing is wider than the screen; the bar at the bottom opens the categories and, under 我的, what the top bar has elsewhere', async (people) => {
  for (const as of [undefined, 'buyer']) {
    const { page } = await people({ as, width: 390, height: 844 })
    for (const path of as ? ['/shop/cart', '/userCenter/index', '/userCenter/order/index'] : ['/about/licence', '/product/index', '/']) {
      await page.goto(path)
      await settled(page)
      assert.equal(await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth'), 0, path)
    }
    if (!as) {
      await page.evaluate('window.scrollTo(0, 900)')
      await page.waitForFunction(() => document.querySelector('input[type="search"]').getBoundingClientRect().top < 40)
      await page.getByRole('button', { name: '分类', exact: true }).click()
      const [first, second] = await groupsOf(page)
      await paneOf(page, first).getByRole('link').first().waitFor()
      await menuOf(page).getByRole('button', { name: second }).click()
      await paneOf(page, second).getByRole('link').first().click()
      await page.waitForURL('**/product/index?Cid=*')
      await menuOf(page).waitFor({ state: 'detached' })
    }
    await page.getByRole('button', { name: /^我的/ }).click()
    await paneOf(page, '批发市场').getByRole('link').first().waitFor()
    await page.getByRole('link', { name: '集团官网' }).last().waitFor()
    assert.equal(await page.getByRole('button', { name: '返回旧版' }).count(), as ? 1 : 0)
  }
}, { pictures: true })

/** Whether the page is no wider than the screen. */
const isWithin = (page) => page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)

journey('on a phone an approval, a return and a review have every choice in reach', async (people) => {
  const phone = { width: 390, height: 844 }
  const { page: decider } = await people({ as: 'xl.sun', ...phone })
  await decider.goto('/userCenter/order/approval')
  const more = decider.getByRole('button', { name: '更多', exact: true })
  await more.waitFor()
  for (const name of ['驳回', '同意']) assert.equal(await decider.getByRole('button', { name, exact: true }).isVisible(), true)
  await more.click()
  await decider.getByRole('group', { name: '更多操作' }).getByRole('button', { name: '退回询问', exact: true }).waitFor()
  await decider.getByRole('button', { name: '调整数量' }).click()
  await decider.getByRole('region', { name: '调整数量' }).getByRole('button', { name: '确认调整' }).waitFor()
  assert.equal(await isWithin(decider), true)

  const { page } = await people({ as: 'buyer', ...phone })
  await page.goto('/userCenter/order/index?Status=completed')
  await page.getByRole('button', { name: '更多', exact: true }).first().click()
  await page.getByRole('link', { name: '申请售后' }).first().click()
  await page.getByRole('list', { name: '选择商品' }).waitFor()
  assert.equal(await page.getByRole('button', { name: '提交申请' }).isVisible(), true)
  assert.equal(await isWithin(page), true)

  await page.goto('/userCenter/order/index?Status=to_review')
  await page.getByRole('link', { name: '评价', exact: true }).first().click()
  await page.getByRole('radio', { name: /5 星/ }).first().check()
  await page.getByLabel('评价内容').first().waitFor()
  assert.equal(await isWithin(page), true)
}, { pictures: true })
