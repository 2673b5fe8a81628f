/**
 * Compare the gzipped bytes and the files of each page with the budgets. Exits with 1 if a page
 * exceeds its budget.
 */
import fs from 'node:fs'
import path from 'node:path'
import { gzipSync } from 'node:zlib'

const KB = 1024
const SHOP = { js: 140 * KB, css: 15 * KB, files: 6 }
const USER_CENTRE = { js: 420 * KB, css: 15 * KB, files: 10 }
const REPORT = { js: 610 * KB, css: 15 * KB, files: 12 }

const budgetOf = (route) => {
  if (route.startsWith('/userCenter/report/')) return REPORT
  return route.startsWith('/userCenter/') ? USER_CENTRE : SHOP
}

const folder = path.resolve(import.meta.dirname, '../../static/app')
const { entry, routes } = JSON.parse(
  fs.readFileSync(path.join(folder, 'chunk-groups.json'), 'utf8'),
)
const sizes = new Map()
const gz = (file) => {
  if (!sizes.has(file))
    sizes.set(file, gzipSync(fs.readFileSync(path.join(folder, file)), { level: 9 }).length)
  return sizes.get(file)
}
const total = (files) => files.reduce((sum, file) => sum + gz(file), 0)
const shown = (bytes) => `${(bytes / KB).toFixed(1)} KB`

let over = 0
const seen = new Set()
for (const route of routes) {
  if (seen.has(route.chunk)) continue
  seen.add(route.chunk)
  const js = [...new Set([...entry.js, ...route.js])]
  const css = [...new Set([...entry.css, ...route.css])]
  const budget = budgetOf(route.path)
  const facts = [total(js), total(css), js.length]
  const bad = facts[0] > budget.js || facts[1] > budget.css || facts[2] > budget.files
  if (bad) over += 1
  console.log(
    `${bad ? '超出' : '合格'}  ${route.path.padEnd(34)} JS ${shown(facts[0])} / ${shown(budget.js)}  CSS ${shown(facts[1])} / ${shown(budget.css)}  JS 文件 ${facts[2]} / ${budget.files}`,
  )
}
process.exit(over ? 1 : 0)
