import { heard, settled } from '../browser.mjs'

/** /userCenter/order/approval */
export class ApprovalsPage {
  constructor(page) {
    this.page = page
  }

  detail = (orderNo) => this.page.getByRole('article', { name: `审批 ${orderNo}` })

  /** Opens the approval of this order from the list of those waiting. */
  async open(orderNo) {
    await this.page.goto('/userCenter/order/approval')
    const row = this.page.getByRole('article').filter({ has: this.page.getByRole('checkbox', { name: `选择 ${orderNo}` }) })
    await row.getByRole('link').click()
    // The newest is open already: only the address tells its own page from the list's.
    await this.page.waitForFunction(() => /\/approval\/\d+$/.test(location.pathname))
    await row.locator('a[aria-current="true"]').waitFor()
    await settled(this.page)
    await this.detail(orderNo).waitFor()
  }

  async approve(orderNo, comment) {
    const detail = this.detail(orderNo)
    await detail.getByRole('button', { name: '同意', exact: true }).click()
    const dialog = this.page.getByRole('dialog', { name: '同意订单' })
    await dialog.getByLabel('审批意见').fill(comment)
    await dialog.getByRole('button', { name: '确认同意' }).click()
    await heard(this.page, '已同意')
    await detail.getByRole('button', { name: '同意', exact: true }).waitFor({ state: 'detached' })
  }
}

/** /userCenter/order/detail */
export class OrderPage {
  constructor(page) {
    this.page = page
    this.heading = page.getByRole('heading', { level: 1 })
    this.shipments = page.getByRole('region', { name: '发货' })
    this.timeline = page.getByRole('region', { name: '订单动态' })
  }

  /** Opens the order and waits for it. */
  async open(orderNo) {
    await this.page.goto(`/userCenter/order/detail?OrderNo=${orderNo}`)
    await this.heading.filter({ hasText: orderNo }).waitFor()
  }

  /** Receives everything that is on its way. */
  async receive() {
    await this.page.getByRole('button', { name: '确认收货' }).first().click()
    await this.page.getByRole('dialog').getByRole('button', { name: /^确认收到/ }).click()
    await heard(this.page, '已确认收货')
  }
}

/** /admin/, for the supplier's staff. */
export class BackOffice {
  constructor(page) {
    this.page = page
  }

  async signIn(name, password) {
    await this.page.goto('/admin/')
    await this.page.locator('input[name=username]').fill(name)
    await this.page.locator('input[name=password]').fill(password)
    await this.page.locator('button[type=submit]').first().click()
    await this.page.getByRole('heading', { name: '今日工作' }).waitFor()
  }

  /** Opens the order's page from the list. */
  async order(orderNo) {
    await this.page.goto(`/admin/orders/order/?q=${orderNo}`)
    await this.page.getByRole('link', { name: orderNo }).first().click()
  }

  /** Opens the one document that the list of a model finds by its number; what a message brings may be a moment late. */
  async document(model, number) {
    const found = this.page.locator('#result_list tbody tr')
    await this.page.goto(`/admin/${model}/?q=${number}`)
    for (let left = 60; left > 0 && !(await found.count()); left -= 1) await this.page.reload()
    await found.first().getByRole('link').first().click()
  }

  /** Takes an action of the page, fills in its form (each field by how its name begins) and sends it. */
  async act(action, fields = {}, said = `${action}成功`) {
    // The name of the action's icon is text too.
    await this.page.locator('a', { hasText: new RegExp(`^\\s*(?:[a-z_]+\\s*)?${action}\\s*$`) }).first().click()
    for (const [name, value] of Object.entries(fields)) await this.page.locator(`form.office-form [name^=${name}]`).fill(value)
    await this.page.locator('form.office-form').getByRole('button', { name: action, exact: true }).click()
    await this.page.getByText(said).first().waitFor()
  }
}
