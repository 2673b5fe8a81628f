import { heard } from '../browser.mjs'

/** Returns the first amount after `label`, in 分. */
async function moneyAfter(place, label) {
  const text = await place.innerText()
  const [, yuan] = /¥\s*(-?[\d,]+\.\d{2})/.exec(text.slice(text.indexOf(label)))
  return Math.round(Number(yuan.replaceAll(',', '')) * 100)
}

/** The search of the header. */
export class Header {
  constructor(page) {
    this.page = page
    this.search = page.getByRole('combobox', { name: '搜索商品' })
    this.cartCount = page.getByRole('link', { name: /购物车/ }).last()
  }

  /** Waits for the late parts of the header. The checkout pages have no search. */
  async whole() {
    if (await this.search.isVisible()) await this.page.getByRole('group', { name: '热门搜索' }).getByRole('link').first().waitFor()
  }

  /** Searches and waits for the result. Until then the previous page stays on screen, although the address has changed. */
  async find(keyword) {
    await this.search.fill(keyword)
    await this.search.press('Enter')
    return new ListPage(this.page).shown(`“${keyword}”的搜索结果`)
  }
}

/** /product/index */
export class ListPage {
  constructor(page) {
    this.page = page
    this.list = page.getByRole('region', { name: '商品列表' })
    this.cards = this.list.getByRole('article')
  }

  /** Waits for the list with this heading and its rows. Until then the rows of the previous query stay, marked busy. */
  async shown(heading = '全部商品') {
    await this.page.getByRole('heading', { level: 1, name: heading, exact: true }).waitFor()
    await this.page.locator('section[aria-label="商品列表"][aria-busy="false"]').waitFor()
    return this
  }

  /** Sorts by price, ascending. */
  async sortByPrice() {
    await this.page.getByRole('button', { name: '价格', exact: true }).click()
    await this.page.getByRole('button', { name: '价格从低到高', pressed: true }).waitFor()
    return this.shown()
  }

  /** Returns the link of the first product with all these words in its name. */
  product(...words) {
    return words.reduce((cards, word) => cards.filter({ hasText: word }), this.cards).first().getByRole('link').first()
  }
}

/** /{ProductCode}.html */
export class DetailPage {
  constructor(page) {
    this.page = page
    this.info = page.getByRole('region', { name: '商品信息' })
    this.name = this.info.getByRole('heading', { level: 1 })
    this.add = this.info.getByRole('button', { name: '加入购物车' }).first()
  }

  async put(quantity) {
    const name = await this.name.innerText()
    await this.info.getByRole('textbox', { name: `${name}数量` }).first().fill(String(quantity))
    await this.add.click()
    await heard(this.page, '添加购物车成功')
    return name
  }
}

/** /shop/cart */
export class CartPage {
  constructor(page) {
    this.page = page
    this.all = page.getByRole('checkbox', { name: '全选' })
    this.foot = page.getByRole('region', { name: '结算' })
    this.checkout = this.foot.getByRole('link', { name: '去结算' })
  }

  /** Opens the cart and waits for its lines. */
  async open() {
    await this.page.goto('/shop/cart')
    await this.foot.waitFor()
  }

  /** Waits until the footer and the server have this number of lines. */
  async chosen(kinds) {
    await this.foot.getByText(`已选 ${kinds} 种`).waitFor()
    await this.page.locator('[aria-label="结算"][aria-busy="false"]').waitFor()
  }

  /** Selects all lines of the open cart that can be bought. */
  async chooseAll() {
    if (!(await this.all.isChecked())) await this.all.click()
    await this.chosen(await this.page.getByRole('checkbox', { name: /^选择/ }).count())
  }

  /** Selects only this product in the cart. */
  async chooseOnly(name) {
    await this.chooseAll()
    await this.all.click()
    await this.chosen(0)
    await this.page.getByRole('checkbox', { name: `选择${name}` }).click()
    await this.chosen(1)
  }

  quantityOf = (name) => this.page.getByRole('textbox', { name: `${name}的数量` })
}

/** /shop/submit */
export class CheckoutPage {
  constructor(page) {
    this.page = page
    const rail = page.getByRole('complementary', { name: '审批、预算与金额' })
    this.rail = rail
    this.approval = rail.getByRole('region', { name: '审批' })
    this.budget = rail.getByRole('region', { name: '预算' })
    this.submit = rail.getByRole('button', { name: /^提交/ })
  }

  /** Waits until the preview matches the selection. */
  reckoned = () => this.page.locator('[aria-label="审批、预算与金额"][aria-busy="false"]').waitFor()

  /** Selects the budget with `words` in its name, and waits for its figures. */
  async useBudget(words) {
    const choice = this.budget.getByLabel('使用预算')
    const value = await choice.locator('option', { hasText: words }).getAttribute('value')
    await choice.selectOption(value)
    await this.reckoned()
  }

  /** Returns the total and the budget before and after, in 分. */
  async figures() {
    await this.reckoned()
    const [total, before, after] = await Promise.all([
      moneyAfter(this.rail, '应付总额'),
      moneyAfter(this.budget, '下单前可用'),
      moneyAfter(this.budget, '下单后剩余'),
    ])
    return { total, before, after }
  }
}

/** /shop/state */
export class SubmittedPage {
  constructor(page) {
    this.page = page
    this.heading = page.getByRole('heading', { name: '订单提交成功' })
  }

  /** Waits for the page. Returns the number of the order. */
  async orderNo() {
    await this.heading.waitFor()
    return new URL(this.page.url()).searchParams.get('OrderNo')
  }
}
