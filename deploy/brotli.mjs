// Write a .br beside every text file of a folder, as the static server has gzip only: node deploy/brotli.mjs staticfiles
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, constants } from 'node:zlib'

const SMALLEST = 1024
const TEXT = /\.(js|css|svg|json|html|txt)$/

const folder = process.argv[2]
for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
  const path = join(folder, name)
  if (!TEXT.test(path) || existsSync(`${path}.br`)) continue
  if (!statSync(path).isFile() || statSync(path).size < SMALLEST) continue
  const bytes = readFileSync(path)
  const small = brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 9, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length } })
  if (small.length < bytes.length * 0.95) writeFileSync(`${path}.br`, small)
}
