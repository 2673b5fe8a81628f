// Too many calls: the dialog 安全验证, the slide that lifts the block, and the calls that waited for it.
import assert from 'node:assert/strict'
import { execFileSync, spawn } from 'node:child_process'
import { createServer } from 'node:net'
import { fileURLToPath } from 'node:url'
import { heard } from './browser.mjs'
import { ADD, done, product, refusal, SPOILT } from './faults.mjs'
import { journey } from './people.mjs'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const BLOCK = { Ip: '203.0.113.9', CurrentTime: '2026-03-05T14:07:00+08:00', Target: '/api/Product', Guid: '6f1c2b1e-0000-4000-8000-000000000001' }
const blocked = (MsgBody) => ({ status: 429, json: { MsgHeader: { Success: false, RetCode: 'rate_limited', RetMessage: '' }, MsgBody } })
const UNLOCK = '**/api/Account/UnLock'

/** The puzzle the page is given. */
const puzzleOf = (page) =>
  new Promise((resolve) => {
    void page.route('**/api/Account/Captcha', async (route) => {
      try {
        const response = await route.fetch()
        const body = await response.json()
        await route.fulfill({ response })
        resolve(body.MsgBody)
      } catch {
        // The page has been closed meanwhile.
      }
    })
  })

/** The buyer puts a product into the cart and is blocked until `open` is called; each try is counted. */
async function blockedAtCart(people, body, options) {
  const opened = await product(people, { as: 'buyer', may: SPOILT, ...options })
  const { page } = opened
  const state = { locked: true, tries: 0 }
  await page.route(ADD, (route) => {
    state.tries += 1
    return route.fulfill(state.locked ? blocked(body) : done)
  })
  const puzzle = puzzleOf(page)
  await opened.add.click()
  const dialog = page.getByRole('dialog', { name: '安全验证' })
  await dialog.getByRole('slider').waitFor()
  return { ...opened, state, dialog, puzzle, confirm: dialog.getByRole('button', { name: '确定' }) }
}

/** Slides by the keyboard to `place`, and lets go. */
async function slide(dialog, place) {
  const slider = dialog.getByRole('slider', { disabled: false })
  await slider.focus()
  for (let at = 0; at + 5 <= place; at += 5) await slider.press('ArrowRight', { delay: 10 })
  for (let at = 0; at < place % 5; at += 1) await slider.press('Shift+ArrowRight', { delay: 10 })
  assert.equal(await slider.getAttribute('aria-valuenow'), String(place))
  await slider.press('Enter')
}

/** Where the piece belongs, which only the database knows. */
const answerOf = (id) =>
  Number(execFileSync('.venv/bin/python', ['manage.py', 'shell', '--no-imports', '-c', `from apps.identity.models import Captcha; print(Captcha.objects.get(public_id="${id}").answer_x)`], { cwd: ROOT, env: { ...process.env, LOG_LEVEL: 'ERROR' } }))

journey('a blocked client sees who, when, where and the number of the block, in a dialog of 400 px', async (people) => {
  const { dialog } = await blockedAtCart(people, BLOCK)
  await dialog.getByText('系统识别到您的访问存在安全隐患', { exact: true }).waitFor()
  const facts = await dialog.locator('dl').innerText()
  assert.deepEqual(facts.split(/\s*\n\s*/), ['IP', BLOCK.Ip, '时间', BLOCK.CurrentTime, 'URL', BLOCK.Target, 'UUID', BLOCK.Guid])
  assert.equal((await dialog.boundingBox()).width, 400)
})

journey('what the block does not tell reads 未知', async (people) => {
  const { dialog } = await blockedAtCart(people, { Target: '/api/Product' })
  assert.equal((await dialog.locator('dl').innerText()).match(/未知/g).length, 3)
})

journey('the slide comes before the button', async (people) => {
  const { page, dialog, confirm, heard } = await blockedAtCart(people, BLOCK)
  await page.waitForFunction(() => document.activeElement?.getAttribute('role') === 'slider')
  await confirm.click()
  await heard('请先完成滑动验证')
  assert.ok(await dialog.isVisible())
})

journey('a slide that misses is told and brings another puzzle', async (people) => {
  const { page, dialog, confirm, heard } = await blockedAtCart(people, BLOCK)
  await slide(dialog, 10)
  const another = page.waitForResponse('**/api/Account/Captcha')
  await confirm.click()
  await heard('验证码验证失败，请重试')
  assert.ok((await another).ok())
})

journey('a verification that fails for another reason is told so', async (people) => {
  const { page, dialog, confirm, heard } = await blockedAtCart(people, BLOCK)
  await page.route(UNLOCK, (route) => route.fulfill({ status: 500, body: '' }))
  await slide(dialog, 10)
  await confirm.click()
  await heard('验证失败，请重试')
})

journey('after the slide the blocked call is sent again by itself', async (people) => {
  const { page, dialog, confirm, heard, state } = await blockedAtCart(people, BLOCK)
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
  const { Id, Width } = await puzzle
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

journey('the dialog is shown once: calls made meanwhile wait, and are sent after it', async (people) => {
  const { page, dialog, confirm, state, asked } = await blockedAtCart(people, BLOCK)
  await page.route(UNLOCK, (route) => {
    state.locked = false
    return route.fulfill(done)
  })
  const before = asked.length
  // The page's own search box lies behind the dialog: its call is made without the pointer.
  await page.getByRole('combobox', { name: '搜索商品', includeHidden: true }).evaluate((input) => {
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value').set.call(input, '中性笔')
    input.dispatchEvent(new Event('input', { bubbles: true }))
  })
  await slide(dialog, 10)
  assert.deepEqual(asked.slice(before).filter((line) => line.includes(' /api/') && !line.includes('Captcha')), [])
  assert.equal(await page.getByRole('dialog', { name: '安全验证' }).count(), 1)
  const suggested = page.waitForResponse('**/api/Search/Suggest*')
  await confirm.click()
  assert.equal((await suggested).status(), 200)
})

journey('who gives up is asked no more, and the call is refused', async (people) => {
  const { dialog, state, add } = await blockedAtCart(people, BLOCK)
  await dialog.getByRole('button', { name: '取消' }).click()
  await dialog.waitFor({ state: 'detached' })
  await add.and(add.page().locator(':enabled')).waitFor()
  assert.equal(state.tries, 1)
})

journey('a block that no slide lifts says what does', async (people) => {
  const { page, dialog, confirm, heard } = await blockedAtCart(people, BLOCK)
  await page.unroute(ADD)
  await page.route(ADD, (route) => route.fulfill({ status: 429, ...refusal('操作过于频繁，请稍后再试') }))
  await page.route(UNLOCK, (route) => route.fulfill(done))
  await slide(dialog, 10)
  await confirm.click()
  await heard('操作过于频繁，请稍后再试')
  await dialog.waitFor({ state: 'detached' })
})

const freePort = () =>
  new Promise((resolve) => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const { port } = probe.address()
      probe.close(() => resolve(port))
    })
  })

/** A second server on the same database that allows eight searches a minute. */
async function strictServer() {
  const port = await freePort()
  const environment = { ...process.env, RATE_LIMITS: 'search=8/m', TRUSTED_PROXIES: '1', EMBEDDED_RUNNER: 'false' }
  const options = ['--interface', 'wsgi', '--port', String(port), '--workers', '2', '--blocking-threads', '2', '--no-ws', 'mall.wsgi:application']
  const server = spawn('.venv/bin/granian', options, { cwd: ROOT, env: environment, stdio: 'ignore' })
  const address = `http://127.0.0.1:${port}`
  const ready = async () => (await fetch(`${address}/readyz`).catch(() => null))?.ok
  for (let tries = 0; !(await ready()); tries += 1) {
    if (tries > 300) throw new Error('the second server does not answer')
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
    const puzzle = puzzleOf(page)
    await page.goto(`${address}/`)
    const box = page.getByRole('combobox', { name: '搜索商品' })
    const dialog = page.getByRole('dialog', { name: '安全验证' })
    for (const word of '笔纸本夹胶墨盒袋签刀尺桶'.split('')) {
      if (await dialog.isVisible()) break
      // Once blocked, the next word's call waits: then it is the dialog that comes.
      const next = Promise.race([page.waitForResponse('**/api/Search/Suggest*'), dialog.waitFor()])
      await box.fill(word)
      await next
    }
    await dialog.getByText('203.0.113.77').waitFor()
    await dialog.getByRole('slider').waitFor()
    await slide(dialog, answerOf((await puzzle).Id))
    await dialog.getByRole('button', { name: '确定' }).click()
    await heard(page, '验证成功')
    await dialog.waitFor({ state: 'detached' })
    // What he had typed last is answered without his doing anything.
    await page.getByRole('option').first().waitFor()
  } finally {
    stop()
  }
})
