import { PASSWORD } from '../browser.mjs'

/** /login */
export class LoginPage {
  constructor(page) {
    this.page = page
    this.name = page.getByLabel('账号', { exact: true })
    this.password = page.getByLabel('密码', { exact: true })
    this.submit = page.getByRole('button', { name: '登录', exact: true })
  }

  async fill(name, password) {
    await this.name.fill(name)
    await this.password.fill(password)
  }

  /** Signs in and waits for the first screen of this user. */
  async signIn(name, password = PASSWORD) {
    await this.page.goto('/login')
    await this.fill(name, password)
    await this.submit.click()
    await this.page.getByRole('button', { name: '退出登录' }).waitFor()
  }
}
