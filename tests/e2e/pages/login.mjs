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

  /** Signs in and waits for the first screen as this person sees it. */
  async signIn(name, password = PASSWORD) {
    await this.page.goto('/login')
    await this.fill(name, password)
    await this.submit.click()
    await this.page.getByRole('button', { name: '退出登录' }).waitFor()
  }
}

/** Runs in the page: how far the piece must slide. Over the hole the picture is the piece itself, darkened as `puzzle.py` digs it. */
function holeOf() {
  const [background, piece] = document.querySelectorAll('form img')
  const pixels = (image) => {
    const canvas = Object.assign(document.createElement('canvas'), { width: image.naturalWidth, height: image.naturalHeight })
    const context = canvas.getContext('2d')
    context.drawImage(image, 0, 0)
    return context.getImageData(0, 0, canvas.width, canvas.height)
  }
  const [picture, cut] = [pixels(background), pixels(piece)]
  const top = Math.round((Number.parseFloat(piece.style.top) / 100) * picture.height)
  const dark = [24, 28, 40]
  const misfit = (left) => {
    let sum = 0
    for (let y = 16; y < cut.height - 16; y += 1) {
      for (let x = 16; x < cut.width - 16; x += 1) {
        const [here, there] = [4 * (y * cut.width + x), 4 * ((top + y) * picture.width + left + x)]
        if (cut.data[here + 3] > 250) for (let c = 0; c < 3; c += 1) sum += (picture.data[there + c] - 0.55 * cut.data[here + c] - 0.45 * dark[c]) ** 2
      }
    }
    return sum
  }
  const places = Array.from({ length: picture.width - cut.width + 1 }, (_, left) => left)
  return places.reduce((best, left) => (misfit(left) < misfit(best) ? left : best))
}

/** The slide puzzle, solved by looking at it. */
export class CaptchaPiece {
  constructor(page) {
    this.page = page
    this.slider = page.getByRole('slider')
  }

  async shown() {
    await this.page.getByAltText('把拼图滑到缺口处').waitFor()
    await this.page.waitForFunction("[...document.querySelectorAll('form img')].every((image) => image.naturalWidth > 0)")
  }

  /** Moves the piece step by step with the arrow keys and lets it go over the hole. */
  async solveByKeys() {
    await this.shown()
    const place = await this.page.evaluate(holeOf)
    await this.slider.focus()
    // No hand makes a slide in less than 150 ms.
    const hand = { delay: 10 }
    for (let x = 5; x <= place; x += 5) await this.page.keyboard.press('ArrowRight', hand)
    for (let rest = place % 5; rest > 0; rest -= 1) await this.page.keyboard.press('Shift+ArrowRight', hand)
    await this.page.keyboard.press('Enter')
  }
}
