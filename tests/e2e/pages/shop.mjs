/** The first amount of money after `label`, in 分. */
async function moneyAfter(place, label) {
  const text = await place.innerText()
  const [, yuan] = /¥\s*(-?[\d,]+\.\d{2})/.exec(text.slice(text.indexOf(label)))
  return Math.round(Number(yuan.replaceAll(',', '')) * 100)
}

/** The header's search, on every page of the mall. */
export class Header {
  constructor(page) {
    this.page = page
    this.search = page.getByRole('combobox', { name: '搜索商品' })
    this.cartCount = page.getByRole('link', { name: /购物车/ }).last()
  }

  async find(keyword) {
    await this.search.fill(keyword)
    await this.search.press('Enter')
    await this.page.waitForURL((address) => address.pathname === '/product/index')
  }
}

/** /product/index */
export class ListPage {
  constructor(page) {
    this.page = page
    this.cards = page.locator('main article')
  }

  /** The link of the first product whose name has all the words. */
  product(...words) {
    return words.reduce((cards, word) => cards.filter({ hasText: word }), this.cards).first().getByRole('link')
  }
}

/** /{ProductCode}.html */
export class DetailPage {
  constructor(page) {
    this.page = page
    this.name = page.getByRole('heading', { level: 1 })
    this.add = page.getByRole('button', { name: '加入购物车' }).first()
  }

  async put(quantity) {
    await this.page.waitForURL(/\/\d+\.html/)
    await this.add.waitFor()
    const name = await this.name.innerText()
    await this.page.getByRole('textbox', { name: `${name}数量` }).first().fill(String(quantity))
    await this.add.click()
    await this.page.getByText('添加购物车成功').first().waitFor()
    return name
  }
}

/** /shop/cart */
export class CartPage {
  constructor(page) {
    this.page = page
    this.checkout = page.getByRole('link', { name: '去结算' })
  }

  open = () => this.page.goto('/shop/cart')

  /** Opens the cart and chooses all that can be bought of it. */
  async chooseAll() {
    await this.open()
    const all = this.page.getByRole('checkbox', { name: /全选/ }).first()
    await all.waitFor()
    if (await all.isChecked()) return
    await Promise.all([this.page.waitForResponse((answer) => answer.url().endsWith('/api/ShoppingCart/Select')), all.click()])
  }

  /** Chooses this product and nothing else of what the cart holds. */
  async chooseOnly(name) {
    const all = this.page.getByRole('checkbox', { name: /全选/ }).first()
    const answered = () => this.page.waitForResponse((answer) => answer.url().endsWith('/api/ShoppingCart/Select'))
    if (!(await all.isChecked())) await Promise.all([answered(), all.click()])
    await Promise.all([answered(), all.click()])
    await Promise.all([answered(), this.page.getByRole('checkbox', { name: `选择${name}` }).click()])
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

  /** Chooses the budget whose name has `words`, and waits until the page has reckoned with it. */
  async useBudget(words) {
    const choice = this.budget.getByLabel('使用预算')
    const value = await choice.locator('option', { hasText: words }).getAttribute('value')
    await Promise.all([this.page.waitForResponse((answer) => answer.url().endsWith('/api/Order/Preview')), choice.selectOption(value)])
  }

  /** What the page says, in 分: the total, and the budget before and after. */
  async figures() {
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

  /** Waits for the page and returns the order's number. */
  async orderNo() {
    await this.heading.waitFor()
    return new URL(this.page.url()).searchParams.get('OrderNo')
  }
}
