// Rate limits: the dialog 安全验证, the slide puzzle that lifts the block, and the requests that waited for it.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { createServer } from 'node:net'
import { fileURLToPath } from 'node:url'
import { firstAnswer, heard } from './browser.mjs'
import { ADD, done, product, SPOILT } from './faults.mjs'
import { answerOf } from './captcha.mjs'
import { journey } from './people.mjs'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const BLOCK = { Ip: '203.0.113.9', CurrentTime: '2026-03-05T14:07:00+08:00', Target: '/api/Product', Guid: '6f1c2b1e-0000-4000-8000-000000000001' }
const blocked = (MsgBody) => ({ status: 429, json: { MsgHeader: { Success: false, RetCode: 'rate_limited', RetMessage: '' }, MsgBody } })
const UNLOCK = '**/api/Account/UnLock'

/**
 * Opens a product page as the buyer and adds the product to the cart. The server blocks the request until `open` is called. Each attempt is
 * counted.
 */
async function blockedAtCart(people, body, options) {
  const opened = await product(people, { as: 'buyer', may: SPOILT, ...options })
  const { page } = opened
  const state = { locked: true, tries: 0 }
  await page.route(ADD, (route) => {
    state.tries += 1
    return route.fulfill(state.locked ? blocked(body) : done)
  })
  const puzzle = await firstAnswer(page, '**/api/Account/Captcha')
  await opened.add.click()
  const dialog = page.getByRole('dialog', { name: '安全验证' })
  await dialog.getByRole('slider').waitFor()
  return { ...opened, state, dialog, puzzle, confirm: dialog.getByRole('button', { name: '确定' }) }
}

/** Moves the piece to `place` by keyboard and drops it. */
async function slide(dialog, place) {
  const slider = dialog.getByRole('slider', { disabled: false })
  await slider.focus()
  for (let at = 0; at + 5 <= place; at += 5) await slider.press('ArrowRight', { delay: 10 })
  for (let at = 0; at < place % 5; at += 1) await slider.press('Shift+ArrowRight', { delay: 10 })
  assert.equal(await slider.getAttribute('aria-valuenow'), String(place))
  await slider.press('Enter')
}

journey('a blocked customer sees who, when and where; a slide that misses brings another puzzle, one that fits sends the blocked call again', async (people) => {
  const { page, dialog, puzzle, confirm, heard, state } = await blockedAtCart(people, BLOCK)
  await page.waitForFunction(() => document.activeElement?.getAttribute('role') === 'slider')
  const facts = await dialog.locator('dl').innerText()
  assert.deepEqual(facts.split(/\s*\n\s*/), ['IP', BLOCK.Ip, '时间', BLOCK.CurrentTime, 'URL', BLOCK.Target, 'UUID', BLOCK.Guid])
  assert.equal((await dialog.boundingBox()).width, 400)
  await puzzle.first

  await page.route(UNLOCK, (route) => route.fulfill({ status: 500, body: '' }))
  await slide(dialog, 10)
  await confirm.click()
  await heard('验证失败，请重试')
  await page.unroute(UNLOCK)
  const another = page.waitForResponse('**/api/Account/Captcha')
  await slide(dialog, 10)
  await confirm.click()
  await heard('验证码验证失败，请重试')
  assert.ok((await another).ok())

  await page.route(UNLOCK, (route) => {
    state.locked = false
    return route.fulfill(done)
  })
  await slide(dialog, 10)
  await confirm.click()
  await heard('验证成功')
  await heard('添加购物车成功')
  await dialog.waitFor({ state: 'detached' })
  assert.equal(state.tries, 2)
})

journey('on a narrow screen the slide is made by the pointer, and the piece lies in its hole', async (people) => {
  const { page, dialog, puzzle, confirm, heard } = await blockedAtCart(people, BLOCK, { width: 390, height: 844 })
  const { Id, Width } = (await puzzle.first).body.MsgBody
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
  await confirm.click()
  await heard('验证成功')
})

const freePort = () =>
  new Promise((resolve) => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const { port } = probe.address()
      probe.close(() => resolve(port))
    })
  })

/** Starts a second server on the same database with a limit of eight searches per minute. */
async function strictServer() {
  const port = await freePort()
  const environment = { ...process.env, RATE_LIMITS: 'search=8/m', TRUSTED_PROXIES: '1', ALLOWED_PORTS: String(port), EMBEDDED_RUNNER: 'false' }
  const options = ['--interface', 'wsgi', '--port', String(port), '--workers', '1', '--blocking-threads', '2', '--no-ws', 'mall.wsgi:application']
  const server = spawn('.venv/bin/granian', options, { cwd: ROOT, env: environment, stdio: 'ignore' })
  const address = `http://127.0.0.1:${port}`
  const ready = async () => (await fetch(`${address}/readyz`).catch(() => null))?.ok
  for (let tries = 0; !(await ready()); tries += 1) {
    if (tries > 1200) throw new Error('the second server does not answer')
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  return { address, stop: () => server.kill() }
}

journey('over a real limit: a visitor searches too often, slides, and goes on where he was; a forged address before the proxy helps nobody', async (people) => {
  const { address, stop } = await strictServer()
  const { page } = await people({ may: SPOILT })
  try {
    let hop = 0
    await page.route(/\/api\/(?!Account\/Captcha)/, (route) => route.continue({ headers: { ...route.request().headers(), 'x-forwarded-for': `198.51.100.${(hop += 1)}, 203.0.113.77` } }))
    const puzzle = await firstAnswer(page, '**/api/Account/Captcha')
    await page.goto(`${address}/`)
    const box = page.getByRole('combobox', { name: '搜索商品' })
    const dialog = page.getByRole('dialog', { name: '安全验证' })
    for (const word of '笔纸本夹胶墨盒袋签刀尺桶'.split('')) {
      if (await dialog.isVisible()) break
      // After the block the request for the next text waits, and the dialog opens.
      const next = Promise.race([page.waitForResponse('**/api/Search/Suggest*'), dialog.waitFor()])
      await box.fill(word)
      await next
    }
    await dialog.getByText('203.0.113.77').waitFor()
    await dialog.getByRole('slider').waitFor()
    await slide(dialog, answerOf((await puzzle.first).body.MsgBody.Id))
    await dialog.getByRole('button', { name: '确定' }).click()
    await heard(page, '验证成功')
    await dialog.waitFor({ state: 'detached' })
    // The last text gets its result without further input.
    await page.getByRole('option').first().waitFor()
  } finally {
    stop()
  }
})
