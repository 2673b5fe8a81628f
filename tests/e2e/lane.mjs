// A lane runs the given files that no other lane has claimed, one after another, in one process and one browser:
//   E2E_CLAIMS=folder node tests/e2e/lane.mjs FILE…
import { closeSync, openSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { closeBrowser, ended } from './people.mjs'

/** Claims the file. Returns whether this lane was the first. */
function claim(file) {
  try {
    closeSync(openSync(join(process.env.E2E_CLAIMS, basename(file)), 'wx'))
    return true
  } catch (error) {
    if (error.code === 'EEXIST') return false
    throw error
  }
}

for (const file of process.argv.slice(2)) {
  if (!claim(file)) continue
  const began = Date.now()
  await import(pathToFileURL(resolve(file)).href)
  await ended()
  process.stdout.write(`── ${basename(file, '.test.mjs')} · ${((Date.now() - began) / 1000).toFixed(1)} s\n`)
}
await closeBrowser()
