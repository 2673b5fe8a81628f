// Rate limits: the dialog 安全验证, the slide puzzle that lifts the block, and the requests that waited for it. ShellDialogs.test.tsx and
// robotVerify.test.tsx cover the dialog.
import assert from 'node:assert/strict'
import { firstAnswer, heard, settled } from './browser.mjs'
import { SPOILT } from './faults.mjs'
import { answerOf } from './captcha.mjs'
import { journey } from './people.mjs'

/** The last address is the proxy's word. The one before it is the client's. */
const forwarded = (hop) => ({ 'x-forwarded-for': `198.51.100.${hop % 250}, 203.0.113.77` })

const SUGGEST = '/api/Search/Suggest?Key=笔'
/** Seconds of the server's window that the rest of the walk needs. The block ends with the window. */
const NEEDED = 30

/** Searches until the server blocks the client for long enough. */
async function searchTooOften(page) {
  for (let hop = 0; ; hop += 50) {
    const answers = await Promise.all(Array.from({ length: 50 }, (_, at) => page.request.get(SUGGEST, { headers: forwarded(hop + at) })))
    const blocked = answers.find((answer) => answer.status() === 429)
    const left = Number(blocked?.headers()['retry-after'])
    if (left > NEEDED) return
    // The window ends soon: search on until the next one begins.
    if (blocked) while ((await page.request.get(SUGGEST, { headers: forwarded(hop) })).status() === 429);
    assert.ok(hop < 1000, 'nobody is blocked')
  }
}

/** Moves the piece into its hole by the pointer. On a narrow screen the picture is smaller than the puzzle. */
async function slide(page, dialog, { Id, Width }) {
  const place = answerOf(Id)
  const slider = dialog.getByRole('slider', { disabled: false })
  const { x, y, width } = await slider.boundingBox()
  const track = await slider.locator('..').evaluate((element) => element.clientWidth)
  const limit = Number(await slider.getAttribute('aria-valuemax'))
  await page.mouse.move(x + width / 2, y + 20)
  await page.mouse.down()
  await page.mouse.move(x + width / 2 + ((track - width) * place) / limit, y + 24, { steps: 30 })
  await page.mouse.up()
  assert.ok((await dialog.locator('img').first().boundingBox()).width < Width, 'the picture is as wide as the puzzle')
  await page.waitForFunction(
    ([at, whole]) => {
      const [background, piece] = [...document.querySelectorAll('dialog img')].map((image) => image.getBoundingClientRect())
      return Math.abs((piece.left - background.left) / background.width - at / whole) < 0.005
    },
    [place, Width],
  )
}

journey('over the limit: a visitor on a narrow screen searches too often, slides by the pointer, and goes on where he was; a forged address before the proxy helps nobody', async (people) => {
  const { page } = await people({ may: SPOILT, width: 390, height: 844 })
  let hop = 0
  await page.route(/\/api\/(?!Account\/Captcha)/, (route) => route.continue({ headers: { ...route.request().headers(), ...forwarded((hop += 1)) } }))
  const puzzle = await firstAnswer(page, '**/api/Account/Captcha')
  await page.goto('/')
  await settled(page)
  await searchTooOften(page)
  await page.getByRole('combobox', { name: '搜索商品' }).fill('笔')
  const dialog = page.getByRole('dialog', { name: '安全验证' })
  await dialog.getByText('203.0.113.77').waitFor()
  await dialog.getByRole('slider').waitFor()
  await slide(page, dialog, (await puzzle.first).body.MsgBody)
  await dialog.getByRole('button', { name: '确定' }).click()
  await heard(page, '验证成功')
  await dialog.waitFor({ state: 'detached' })
  // The request that waited gets its answer without further input.
  await page.getByRole('option').first().waitFor()
}, { pictures: true })
