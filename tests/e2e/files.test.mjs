// Private files in a browser: upload, access rights, and no script execution.
import assert from 'node:assert/strict'
import { settled } from './browser.mjs'
import { SPOILT } from './faults.mjs'
import { journey } from './people.mjs'

const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAIAAAACCAIAAAD91JpzAAAAEElEQVR4nGMQCbsJRAwQCgAgTgUNe51bcAAAAABJRU5ErkJggg=='

/** Runs in the page: uploads one file as the mall does. Returns the envelope. */
const send = async ([name, type, base64, fields]) => {
  const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0))
  const form = new FormData()
  form.append('file', new File([bytes], name, { type }))
  for (const [field, value] of Object.entries(fields)) form.append(field, value)
  const answer = await fetch('/api/File/Execute', { method: 'POST', body: form, headers: { Authorization: `Bearer ${JSON.parse(localStorage.getItem('Token'))}` } })
  return answer.json()
}

/** Runs in the page: returns the status and size of an address, with or without the user's token. */
const fetched = async ([address, signed]) => {
  const headers = signed ? { Authorization: `Bearer ${JSON.parse(localStorage.getItem('Token'))}` } : {}
  const answer = await fetch(address, { headers, redirect: 'manual' })
  return { status: answer.status, type: answer.headers.get('Content-Type'), size: (await answer.blob()).size }
}

async function at(people, options) {
  const opened = await people({ may: SPOILT, ...options })
  await opened.page.goto('/robotVerify')
  await settled(opened.page)
  return opened.page
}

journey('an upload is shown under its signed address, on this site and without a redirect; a document is saved, not shown', async (people) => {
  const page = await at(people, { as: 'buyer' })
  const { MsgHeader, MsgBody } = await page.evaluate(send, ['图.png', 'image/png', PNG, { path: 'null' }])
  assert.equal(MsgHeader.Success, true)
  assert.match(MsgBody.Url, /^\/api\/File\/[0-9a-f-]{36}\?sig=/)
  assert.deepEqual((({ status, type }) => ({ status, type }))(await page.evaluate(fetched, [MsgBody.Url, false])), { status: 200, type: 'image/png' })
  const width = await page.evaluate(async (address) => {
    const image = new Image()
    image.src = address
    await image.decode()
    return image.naturalWidth
  }, MsgBody.Url)
  assert.equal(width, 2)

  // A document is downloaded under its own name and never rendered as a page.
  const pdf = btoa('%PDF-1.4\n1 0 obj<</Type/Catalog>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n')
  const document = await page.evaluate(send, ['采购合同.pdf', 'application/pdf', pdf, {}])
  const saved = page.waitForEvent('download')
  await page.evaluate((address) => {
    const link = document.createElement('a')
    link.href = address
    link.click()
  }, document.MsgBody.Url)
  assert.equal((await saved).suggestedFilename(), '采购合同.pdf')
}, { pictures: true })
