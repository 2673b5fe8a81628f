import { http, HttpResponse } from 'msw'
import { expect, test, vi } from 'vitest'
import { download, getFilename } from '@/api/download'
import { plugShell } from '@/api/shell'
import { IMAGE_SEARCH_RULES, upload, validateFile } from '@/api/upload'
import { answer, refuse, server } from '@/test/server'

const file = (type: string, bytes: number): File => new File([new Uint8Array(bytes)], 'f', { type })

test.each([
  ['application/pdf', 10, false, '请上传图片文件', 'type'],
  ['image/png', 2 * 1024 * 1024 + 1, false, '图片大小不能超过2MB', 'maxSize'],
  ['image/png', 2 * 1024 * 1024, true, '文件验证通过', 'success'],
] as const)('an image search of %s with %i bytes', (type, bytes, valid, message, kind) => {
  expect(validateFile(file(type, bytes), IMAGE_SEARCH_RULES)).toEqual({
    valid,
    message,
    type: kind,
  })
})

test('the default messages name the limit', () => {
  expect(validateFile(file('a/b', 1), { types: ['c/d'] }).message).toBe('不支持的文件类型')
  expect(validateFile(file('a/b', 1), { minMb: 1 }).message).toBe('文件大小不能小于 1MB')
  expect(validateFile(file('a/b', 1024 * 1024 + 1), { maxMb: 1 }).message).toBe(
    '文件大小不能超过 1MB',
  )
})

test('an upload to the default place sends path as null', async () => {
  let form = ''
  server.use(
    http.post('/api/File/Execute', async ({ request }) => {
      form = await request.text()
      return HttpResponse.json({ MsgHeader: { Success: true }, MsgBody: { FileId: '9' } })
    }),
  )
  expect(await upload(file('image/png', 3))).toEqual({ FileId: '9' })
  expect(form).toMatch(/name="path"\r\n\r\nnull/)
})

test("path, field and further fields are the caller's", async () => {
  let form = ''
  server.use(
    http.post('/api/ReturnOrder/Picture', async ({ request }) => {
      form = await request.text()
      return HttpResponse.json({ MsgHeader: { Success: true }, MsgBody: { FileId: '9' } })
    }),
  )
  await upload(file('image/png', 3), {
    url: '/api/ReturnOrder/Picture',
    field: 'picture',
    extra: { Line: '7' },
  })
  expect(form).toMatch(/name="picture"; filename=/)
  expect(form).toMatch(/name="Line"\r\n\r\n7/)
  expect(form).not.toContain('name="path"')
})

test('an upload tells how far it has come', async () => {
  answer('post', '/api/File/Execute', { FileId: '9' })
  const told: number[] = []
  expect(
    await upload(file('image/png', 300_000), { onProgress: (percent) => told.push(percent) }),
  ).toEqual({ FileId: '9' })
  expect(told.at(-1)).toBe(100)
})

test('a cancelled upload says nothing', async () => {
  const errors: string[] = []
  plugShell({ error: (message) => errors.push(message) })
  server.use(http.post('/api/File/Execute', () => new Promise<never>(() => undefined)))
  const stop = new AbortController()
  const sending = upload(file('image/png', 3), {
    signal: stop.signal,
    onProgress: () => undefined,
  }).catch((error: unknown) => error)
  stop.abort()
  expect(await sending).toMatchObject({ name: 'AbortError' })
  expect(errors).toEqual([])
})

test('an upload the server refuses says why', async () => {
  const errors: string[] = []
  plugShell({ error: (message) => errors.push(message) })
  refuse('post', '/api/File/Execute', { code: 'file_refused', message: '文件大小不能超过 20MB' })
  await expect(upload(file('image/png', 3), { onProgress: () => undefined })).rejects.toThrow(
    '文件大小不能超过 20MB',
  )
  expect(errors).toEqual(['文件大小不能超过 20MB'])
})

test('filename* comes before filename', () => {
  expect(
    getFilename(`attachment; filename="x.xlsx"; filename*=UTF-8''%E8%AE%A2%E5%8D%95.xlsx`),
  ).toBe('订单.xlsx')
  expect(getFilename('attachment; filename="a b.xlsx"')).toBe('a b.xlsx')
  expect(getFilename("attachment; filename*=GBK''%B6%A9%B5%A5.xls")).toBe('订单.xls')
  expect(getFilename('attachment; filename="100%.xls"')).toBe('100%.xls')
  expect(getFilename(null)).toBeNull()
})

test('a download answers the name and the size, and falls back on 下载文件.xls', async () => {
  vi.stubGlobal(
    'URL',
    Object.assign(URL, { createObjectURL: () => 'blob:x', revokeObjectURL: () => undefined }),
  )
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => undefined)
  server.use(
    http.post(
      '/api/Report/Order/Export',
      () => new HttpResponse('abcd', { headers: { 'Content-Type': 'application/octet-stream' } }),
    ),
  )
  expect(await download('/api/Report/Order/Export', {})).toEqual({
    filename: '下载文件.xls',
    size: 4,
    success: true,
  })
})

test('a refused download says why, or 下载失败', async () => {
  const errors: string[] = []
  plugShell({ error: (message) => errors.push(message) })
  refuse('post', '/api/Report/Order/Export', { message: '' })
  await expect(download('/api/Report/Order/Export', {})).rejects.toThrow('下载失败')
  refuse('post', '/api/Report/Order/Export', { message: '没有可导出的数据' })
  await expect(download('/api/Report/Order/Export', {})).rejects.toThrow('没有可导出的数据')
  expect(errors).toEqual(['下载失败', '没有可导出的数据'])
})
