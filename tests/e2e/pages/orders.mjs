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
    await this.detail(orderNo).waitFor()
  }

  async approve(orderNo, comment) {
    const detail = this.detail(orderNo)
    await detail.getByLabel('审批意见').fill(comment)
    await detail.getByRole('button', { name: '同意', exact: true }).click()
    await this.page.getByText('已同意').first().waitFor()
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

  open = (orderNo) => this.page.goto(`/userCenter/order/detail?OrderNo=${orderNo}`)

  /** Receives everything that is on its way. */
  async receive() {
    await this.page.getByRole('button', { name: '确认收货' }).first().click()
    await this.page.getByRole('dialog').getByRole('button', { name: /^确认收到/ }).click()
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
    await this.page.waitForURL((address) => address.pathname === '/admin/')
  }

  /** Opens the order's page from the list. */
  async order(orderNo) {
    await this.page.goto(`/admin/orders/order/?q=${orderNo}`)
    await this.page.getByRole('link', { name: orderNo }).first().click()
  }

  /** Takes an action of the order's page, fills in its form and sends it. */
  async act(action, fields = {}) {
    // The name of the action's icon is text too.
    await this.page.locator('a', { hasText: new RegExp(`^\\s*(?:[a-z_]+\\s*)?${action}\\s*$`) }).first().click()
    for (const [name, value] of Object.entries(fields)) await this.page.locator(`[name=${name}]`).fill(value)
    await this.page.getByRole('button', { name: action, exact: true }).last().click()
    await this.page.getByText(`${action}成功`).first().waitFor()
  }
}
