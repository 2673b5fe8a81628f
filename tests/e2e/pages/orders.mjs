import assert from 'node:assert/strict'
import { heard, settled } from '../browser.mjs'

/** /userCenter/order/approval */
export class ApprovalsPage {
  constructor(page) {
    this.page = page
  }

  detail = (orderNo) => this.page.getByRole('article', { name: `审批 ${orderNo}` })

  /** Opens the approval of this order from the list of pending approvals. */
  async open(orderNo) {
    await this.page.goto('/userCenter/order/approval')
    const row = this.page.getByRole('article').filter({ has: this.page.getByRole('checkbox', { name: `选择 ${orderNo}` }) })
    await row.getByRole('link').click()
    // The newest approval is already open, so only the address distinguishes its page from the list.
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

  async open(orderNo) {
    await this.page.goto(`/userCenter/order/detail?OrderNo=${orderNo}`)
    await this.heading.filter({ hasText: orderNo }).waitFor()
  }

  /** Confirms the receipt of all shipped pieces. */
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
    // The page of one row. The list that leads to it is a complete page too.
    this.changePage = page.locator('body.change-form')
  }

  /** Signs the profile in without opening a page, which takes a second of processor. journey.test.mjs shows the form. */
  async signIn(name, password) {
    const { request } = this.page.context()
    const form = await (await request.get('/admin/login/')).text()
    const [, csrfmiddlewaretoken] = /name="csrfmiddlewaretoken" value="([^"]+)"/.exec(form)
    const answer = await request.post('/admin/login/?next=/admin/', { form: { csrfmiddlewaretoken, username: name, password }, maxRedirects: 0 })
    assert.equal(answer.status(), 302, `${name} cannot sign in`)
  }

  async signInByForm(name, password) {
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
    await this.changePage.waitFor()
  }

  /** Opens the document with this number from the list of a model. Retries, because a document created by a message can come late. */
  async document(model, number) {
    const found = this.page.locator('#result_list tbody tr')
    await this.page.goto(`/admin/${model}/?q=${number}`)
    for (let left = 60; left > 0 && !(await found.count()); left -= 1) await this.page.reload()
    await found.first().getByRole('link').first().click()
    await this.changePage.waitFor()
  }

  /** Runs an action of the page: fills in its form (each field by the start of its name) and submits. */
  async act(action, fields = {}, said = `${action}成功`) {
    // The icon name is also text.
    await this.page.locator('a', { hasText: new RegExp(`^\\s*(?:[a-z_]+\\s*)?${action}\\s*$`) }).first().click()
    for (const [name, value] of Object.entries(fields)) await this.page.locator(`form.office-form [name^=${name}]`).fill(value)
    await this.page.locator('form.office-form').getByRole('button', { name: action, exact: true }).click()
    await this.page.getByText(said).first().waitFor()
  }
}
