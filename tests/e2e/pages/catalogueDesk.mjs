/** /admin/ for catalogue staff: bulk pictures and the category tree. */
export class CatalogueDesk {
  constructor(page) {
    this.page = page
  }

  async upload(files) {
    await this.page.goto('/admin/catalog/picturebatch/new/')
    await this.page.locator('#pictures').setInputFiles(files)
    await this.page.getByRole('button', { name: '上传并预览' }).click()
  }

  /** Waits until this number of pictures is ready to be saved. */
  previews = (number) => this.page.getByRole('button', { name: `确认写入 ${number} 张图片` }).waitFor()

  cells = async (title, ...columns) => {
    const rows = await this.page.locator('.office-list', { hasText: title }).locator('tbody tr').all()
    return Promise.all(
      rows.map(async (row) => {
        const cells = await row.locator('td').allInnerTexts()
        return columns.map((column) => cells.at(column).trim())
      }),
    )
  }

  /** The rejected files: file and reason. */
  left = () => this.cells('未能使用的文件', 0, -1)

  /** The accepted files: file, position, new or replaced. */
  planned = () => this.cells('将写入的图片', 0, 2, -1)

  async write(number) {
    await this.page.getByRole('button', { name: `确认写入 ${number} 张图片` }).click()
    await this.page.getByText(`已写入 ${number} 张图片，商城立即显示`).waitFor()
  }

  openTree = () => this.page.goto('/admin/catalog/category/tree/')

  row = (name) => this.page.locator('.office-branch', { has: this.page.locator('.office-branch-name', { hasText: new RegExp(`^${name}\\d`) }) })

  async unfold(name) {
    const fold = this.row(name).getByRole('button', { name: `展开或收起“${name}”` })
    if ((await fold.getAttribute('aria-expanded')) !== 'true') await fold.click()
  }

  /** The names of the subcategories, in order. */
  async below(name) {
    const item = this.page.locator('li[data-id]', { has: this.page.locator(':scope > .office-branch .office-branch-name', { hasText: new RegExp(`^${name}\\d`) }) })
    const names = await item.locator(':scope > .office-below > ul > li > .office-branch .office-branch-name').allTextContents()
    return names.map((text) => text.replace(/\d+.*$/s, '').trim())
  }

  /** Drags a category above another one, or into it. */
  async drag(name, goal, where = 'before') {
    const box = await this.row(goal).boundingBox()
    const targetPosition = { x: 200, y: where === 'before' ? 3 : box.height / 2 }
    await Promise.all([this.page.waitForEvent('load'), this.row(name).locator('[draggable]').dragTo(this.row(goal), { targetPosition })])
  }

  /** Clicks a button that submits the tree, and waits for the next page. */
  async press(name) {
    await Promise.all([this.page.waitForEvent('load'), this.page.getByRole('button', { name, exact: true }).click()])
  }
}
