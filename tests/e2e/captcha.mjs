// Solves the slide puzzle with the solution from the database.
import { execFileSync } from 'node:child_process'
import { firstAnswer } from './browser.mjs'

/** Without Django, whose start takes longer than the puzzle. */
const READ = `
import os, sys
url, puzzle = os.environ["DATABASE_URL"], sys.argv[1]
if url.startswith("sqlite"):
    import sqlite3
    connection = sqlite3.connect(url.removeprefix("sqlite:///"))
    row = connection.execute("SELECT answer_x FROM identity_captcha WHERE public_id = ?", [puzzle.replace("-", "")]).fetchone()
else:
    import psycopg
    row = psycopg.connect(url).execute("SELECT answer_x FROM identity_captcha WHERE public_id = %s", [puzzle]).fetchone()
print(row[0])
`

/** The distance of the puzzle piece, read from the database, because the test does not analyse the picture. */
export const answerOf = (id) => Number(execFileSync(process.env.PYTHON, ['-c', READ, id]))

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
    await this.page.waitForFunction(() => [...document.querySelectorAll('form img')].every((image) => image.naturalWidth > 0))
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
