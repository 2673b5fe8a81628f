// The catalogue desk: pictures are assigned by file name after a preview. The category tree is reordered by drag and by buttons, and the
// change is undone.
import assert from 'node:assert/strict'
import { deflateSync } from 'node:zlib'
import { CatalogueDesk } from './pages/catalogueDesk.mjs'
import { Office } from './pages/staff.mjs'
import { journey } from './people.mjs'

const CODE = '130007'
// Position and colours differ in each run, so that a retry does not find data of the first run.
const AT = 2 + (Date.now() % 18)
const SHADE = Date.now() % 251

/** A single-colour picture of 8 × 8 pixels. */
function png(...colour) {
  const chunk = (kind, data) => {
    const named = Buffer.concat([Buffer.from(kind), data])
    const framed = Buffer.alloc(named.length + 8)
    framed.writeUInt32BE(data.length)
    named.copy(framed, 4)
    framed.writeUInt32BE(crc(named), named.length + 4)
    return framed
  }
  const head = Buffer.from([0, 0, 0, 8, 0, 0, 0, 8, 8, 2, 0, 0, 0])
  const rows = Buffer.from(Array.from({ length: 8 }, () => [0, ...Array.from({ length: 8 }, () => colour).flat()]).flat())
  const parts = [chunk('IHDR', head), chunk('IDAT', deflateSync(rows)), chunk('IEND', Buffer.alloc(0))]
  return Buffer.concat([Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]), ...parts])
}

function crc(bytes) {
  let sum = 0xffffffff
  for (const byte of bytes) {
    sum ^= byte
    for (let bit = 0; bit < 8; bit += 1) sum = sum & 1 ? (sum >>> 1) ^ 0xedb88320 : sum >>> 1
  }
  return (sum ^ 0xffffffff) >>> 0
}

const picture = (name, buffer, mimeType = 'image/png') => ({ name, mimeType, buffer })

journey('pictures go to the products that their names say, as previewed; the same again changes nothing', async (people) => {
  const office = await Office.as(people, 'ops.shangpin')
  const desk = new CatalogueDesk(office.page)
  const pictures = [
    picture(`${CODE}.png`, png(200, 30, SHADE)),
    picture(`${CODE}-${AT}.png`, png(30, SHADE, 200)),
    picture('999999999.png', png(0, 0, 0)),
    picture(`${CODE}-1.svg`, Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')),
  ]
  await desk.upload(pictures)
  await desk.previews(2)
  assert.deepEqual(await desk.left(), [
    ['999999999.png', '没有编码为 999999999 的商品'],
    [`${CODE}-1.svg`, '请上传 JPG、PNG、WebP 或 GIF 图片'],
  ])
  assert.deepEqual(await desk.planned(), [
    [`${CODE}.png`, '主图', '替换'],
    [`${CODE}-${AT}.png`, `第 ${AT} 张`, '新增'],
  ])
  await desk.write(2)

  const { page: visitor } = await people()
  await visitor.goto(`/${CODE}.html`)
  await visitor.locator(`main img[src*="/media/products/${CODE}-"]`).first().waitFor()

  await desk.upload(pictures.slice(0, 2))
  await office.page.getByText('没有需要写入的图片').waitFor()
  assert.equal(await office.page.getByRole('button', { name: /确认写入/ }).count(), 0)
}, { pictures: true })

journey('categories are ordered by drag and by buttons, a page of before is refused, and each move is one line in the log', async (people) => {
  const office = await Office.as(people, 'ops.shangpin')
  const desk = new CatalogueDesk(office.page)
  await desk.openTree()
  await desk.unfold('书写修正')
  await desk.unfold('中性水性笔')
  const [first, second, third] = await desk.below('中性水性笔')

  const colleague = new CatalogueDesk(await office.page.context().newPage())
  await colleague.openTree()
  await desk.drag(third, first)
  assert.deepEqual(await desk.below('中性水性笔'), [third, first, second])
  await colleague.unfold('书写修正')
  await colleague.unfold('中性水性笔')
  await colleague.press(`下移“${first}”`)
  await colleague.page.getByText('类目的顺序已被同事改动，未作任何移动').waitFor()
  assert.deepEqual(await colleague.below('中性水性笔'), [third, first, second])

  await colleague.press(`上移“${first}”`)
  assert.deepEqual(await colleague.below('中性水性笔'), [first, third, second])
  await colleague.press('撤销这次移动')
  assert.deepEqual(await colleague.below('中性水性笔'), [third, first, second])

  // A new parent needs confirmation.
  await desk.openTree()
  await desk.drag(first, '圆珠钢笔', 'into')
  await office.page.getByText(/这 \d+ 个商品所属的上级类目会改变/).waitFor()
  await Promise.all([office.page.waitForEvent('load'), office.page.getByRole('link', { name: '取消' }).click()])
  assert.deepEqual(await desk.below('中性水性笔'), [third, first, second])

  const system = await Office.as(people, 'ops.xitong')
  await system.page.goto(`/admin/auditlog/logentry/?q=${encodeURIComponent(third)}`)
  const rows = system.page.locator('#result_list tbody tr', { hasText: '排序' })
  assert.equal(await rows.count(), 1)
  assert.match((await rows.first().innerText()).replaceAll(/\s+/g, ' '), /段秋实.* 修改 类目 .*排序 127\.0\.0\.1/)
})
