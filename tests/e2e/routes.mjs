// The addresses of the mall, read from the router's tables, so that the tests include new screens automatically.
import { readFileSync } from 'node:fs'

const TABLES = ['router.tsx', 'userCenterRows.tsx'].map((name) => new URL(`../../frontend/src/app/${name}`, import.meta.url))
const PRODUCTS = new URL('../../demo/catalogue/products.csv', import.meta.url)
const ROW = /\{\s*path:\s*'([^']+)',\s*title:\s*(?:'([^']*)'|null),\s*layout:\s*'([^']+)'[^}]*\}/g

/** An unknown address: the page says so, and the status is 404. */
export const NOWHERE = '/no/such/page'

/** A public product of the demo catalogue for addresses with a product code. */
export function publicProduct() {
  const [header, ...rows] = readFileSync(PRODUCTS, 'utf8').replace(/^\uFEFF/, '').split('\r\n')
  const names = header.split(',')
  const cells = rows.map((row) => row.split(',')).find((row) => row[names.indexOf('是否公开')] === '是' && row[names.indexOf('状态')] === '在售')
  return { code: cells[names.indexOf('商品编码')], name: cells[names.indexOf('名称')] }
}

function addressOf(path) {
  if (path === '/:code.html') return `/${publicProduct().code}.html`
  if (path === '/help/detail/:number') return '/help/detail/13'
  return path === '*' ? NOWHERE : path
}

const table = TABLES.flatMap((file) => [...readFileSync(file, 'utf8').matchAll(ROW)])
  .map(([row, path, title, layout]) => ({ path: addressOf(path), title: title ?? '', layout, login: /login:\s*true/.test(row) }))
  // Addresses with an identifier need an order or an approval. Other tests cover them.
  .filter((route) => !route.path.includes(':'))

export const PUBLIC = table.filter((route) => !route.login)
export const SIGNED_IN = table.filter((route) => route.login)

/** The back office's first page, the order desk and its sheet. */
export const OFFICE = [{ path: '/admin/' }, { path: '/admin/orders/order/' }, { path: '/admin/orders/order/ship-by-sheet/' }]
