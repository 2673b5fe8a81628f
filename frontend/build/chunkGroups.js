import fs from 'node:fs'
import path from 'node:path'

const ROW = /\{\s*path:\s*'([^']+)'[^}]*webpackChunkName:\s*"([^"]+)"/g
const LAYOUT = /layout:\s*'([^']+)'/

/**
 * Read a router table: the path, the chunk of the screen, and the chunk of the lazy layout or null.
 */
export function routesOf(source) {
  return [...source.matchAll(ROW)].map(([row, route, chunk]) => {
    const layout = LAYOUT.exec(row)?.[1] ?? null
    // The plain layout is the default one without its navigation.
    return { path: route, chunk, layout: layout === 'plain' ? 'default' : layout }
  })
}

/**
 * Convert a route to a pattern for Python and JavaScript: `/order/:id` becomes `^/order/[^/]+$`.
 */
export function patternOf(route) {
  if (route === '*') return '^.*$'
  return `^${route.replaceAll('.', '\\.').replace(/:\w+/g, '[^/]+')}$`
}

/**
 * Write `chunk-groups.json` beside the bundle: the files of each address, so that the server can
 * name them in the page's head,
 * and the script of each named chunk, whose file name is a number.
 * Files of the previous build stay for pages that are still open; older files are deleted.
 */
export class ChunkGroupsPlugin {
  constructor({ tables }) {
    this.tables = tables
  }

  apply(compiler) {
    compiler.hooks.done.tap('ChunkGroupsPlugin', ({ compilation }) => {
      if (compilation.errors.length) return
      const folder = compiler.options.output.path
      const target = path.join(folder, 'chunk-groups.json')
      const before = fs.existsSync(target) ? JSON.parse(fs.readFileSync(target, 'utf8')).files : []
      const table = this.table(compilation)
      fs.writeFileSync(target, JSON.stringify(table, null, 1))
      const keep = new Set([...before, ...table.files, 'chunk-groups.json', 'webpack-stats.json'])
      for (const name of fs.readdirSync(folder, { recursive: true })) {
        const file = path.join(folder, name)
        if (fs.statSync(file).isFile() && !keep.has(name.split(path.sep).join('/'))) fs.rmSync(file)
      }
    })
  }

  table(compilation) {
    const filesOf = (name) => {
      const group = compilation.namedChunkGroups.get(name)
      if (!group) throw new Error(`No chunk is named "${name}", though the router's table says so`)
      return group.getFiles().filter((file) => !file.endsWith('.map'))
    }
    const split = (files) => ({
      js: files.filter((file) => file.endsWith('.js')),
      css: files.filter((file) => file.endsWith('.css')),
    })
    const entry = filesOf('main')
    const routes = this.tables
      .flatMap((table) => routesOf(fs.readFileSync(table, 'utf8')))
      .map(({ path: route, chunk, layout }) => {
        const lazy = layout && compilation.namedChunkGroups.has(`layout-${layout}`)
        const wanted = [...(lazy ? filesOf(`layout-${layout}`) : []), ...filesOf(chunk)]
        const own = [...new Set(wanted)].filter((file) => !entry.includes(file))
        return { path: route, pattern: patternOf(route), chunk, ...split(own) }
      })
    const files = [...compilation.getAssets()]
      .map((asset) => asset.name)
      .filter((name) => !name.endsWith('.json'))
    const chunks = Object.fromEntries(
      [...compilation.namedChunks].map(([name, chunk]) => [
        name,
        [...chunk.files].find((file) => file.endsWith('.js')),
      ]),
    )
    return { publicPath: '/static/app/', entry: split(entry), routes, chunks, files }
  }
}
