// Private files in a browser: what a signed-in person uploads, who may see it, and that nothing in it runs.
import assert from 'node:assert/strict'
import { settled } from './browser.mjs'
import { SPOILT } from './faults.mjs'
import { journey } from './people.mjs'

const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAIAAAACCAIAAAD91JpzAAAAEElEQVR4nGMQCbsJRAwQCgAgTgUNe51bcAAAAABJRU5ErkJggg=='

/** In the page: sends one file as the mall's page does, and answers the envelope. */
const send = async ([name, type, base64, fields]) => {
  const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0))
  const form = new FormData()
  form.append('file', new File([bytes], name, { type }))
  for (const [field, value] of Object.entries(fields)) form.append(field, value)
  const answer = await fetch('/api/File/Execute', { method: 'POST', body: form, headers: { Authorization: `Bearer ${JSON.parse(localStorage.getItem('Token'))}` } })
  return answer.json()
}

/** In the page: the status and size of an address, asked for with the person's token or without. */
const fetched = async ([address, signed]) => {
  const headers = signed ? { Authorization: `Bearer ${JSON.parse(localStorage.getItem('Token'))}` } : {}
  const answer = await fetch(address, { headers, redirect: 'manual' })
  return { status: answer.status, type: answer.headers.get('Content-Type'), size: (await answer.blob()).size }
}

async function at(people, options) {
  const opened = await people({ may: SPOILT, ...options })
  await opened.page.goto('/product/index')
  await settled(opened.page)
  return opened.page
}

journey('an upload is shown under its signed address, on this site and without a redirect', async (people) => {
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
})

journey('who took a file in reads it by his own token; a colleague, another customer and a visitor find none', async (people) => {
  const buyer = await at(people, { as: 'buyer' })
  const { MsgBody } = await buyer.evaluate(send, ['图.png', 'image/png', PNG, {}])
  const address = `/api/File/${MsgBody.FileId}`
  assert.equal((await buyer.evaluate(fetched, [address, true])).status, 200)
  assert.equal((await (await at(people, { as: 'ga' })).evaluate(fetched, [address, true])).status, 404)
  const other = await at(people, { as: 'other' })
  assert.equal((await other.evaluate(fetched, [address, true])).status, 404)
  assert.equal((await other.evaluate(fetched, [MsgBody.Url, true])).status, 404)
  assert.equal((await (await at(people)).evaluate(fetched, [address, false])).status, 404)
})

journey('the server refuses again what the page would not have sent', async (people) => {
  const page = await at(people, { as: 'buyer' })
  const svg = await page.evaluate(send, ['图.svg', 'image/svg+xml', btoa('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'), {}])
  assert.deepEqual([svg.MsgHeader.RetCode, svg.MsgHeader.RetMessage], ['file_refused', '不支持的文件类型'])
  const disguised = await page.evaluate(send, ['图.png', 'image/png', btoa('<script>alert(1)</script>'), {}])
  assert.deepEqual([disguised.MsgHeader.RetCode, disguised.MsgHeader.RetMessage], ['file_refused', '不支持的文件类型'])
})

journey('a document is offered for saving under its own name, never shown as a page of ours', async (people) => {
  const page = await at(people, { as: 'buyer' })
  const pdf = btoa('%PDF-1.4\n1 0 obj<</Type/Catalog>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n')
  const { MsgBody } = await page.evaluate(send, ['采购合同.pdf', 'application/pdf', pdf, {}])
  const saved = page.waitForEvent('download')
  await page.evaluate((address) => {
    const link = document.createElement('a')
    link.href = address
    link.click()
  }, MsgBody.Url)
  assert.equal((await saved).suggestedFilename(), '采购合同.pdf')
})
