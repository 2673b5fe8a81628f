// Solves the slide puzzle with the solution from the database.
import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { firstAnswer } from './browser.mjs'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

/** The distance of the puzzle piece, read from the database, because the test does not analyse the picture. */
export const answerOf = (id) =>
  Number(execFileSync('.venv/bin/python', ['manage.py', 'shell', '--no-imports', '-c', `from apps.identity.models import Captcha; print(Captcha.objects.get(public_id="${id}").answer_x)`], { cwd: ROOT, env: { ...process.env, LOG_LEVEL: 'ERROR' } }))

/** The slide puzzle that the page shows after `CaptchaPiece.of(page)`. */
export class CaptchaPiece {
  constructor(page, puzzle) {
    this.page = page
    this.slider = page.getByRole('slider')
    this.puzzle = puzzle
  }

  static async of(page) {
    return new CaptchaPiece(page, await firstAnswer(page, '**/api/Account/Captcha'))
  }

  async shown() {
    await this.page.getByAltText('把拼图滑到形状相同的缺口处').waitFor()
    await this.page.waitForFunction("[...document.querySelectorAll('form img')].every((image) => image.naturalWidth > 0)")
  }

  /** Moves the piece with the arrow keys and drops it over the hole. */
  async solveByKeys() {
    await this.shown()
    const place = answerOf((await this.puzzle.first).body.MsgBody.Id)
    await this.slider.focus()
    // The server rejects a slide faster than 150 ms.
    const hand = { delay: 10 }
    for (let x = 5; x <= place; x += 5) await this.page.keyboard.press('ArrowRight', hand)
    for (let rest = place % 5; rest > 0; rest -= 1) await this.page.keyboard.press('Shift+ArrowRight', hand)
    await this.page.keyboard.press('Enter')
  }
}
