// A server whose clock the test sets. It has its own copy of the demo data, so that other tests are not affected.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
/** Dates on or near which a holiday or a working weekend can fall. */
const HOLIDAYS = /^(0[126]|03-0|04-0|04-(2[5-9]|30)|05-[01]|09|10-[012]|12-(2[5-9]|3))/
const DAY = 24 * 3_600_000

/** The dates of a future working week, Monday to the next Monday, as 2026-11-23. */
export function workingWeek() {
  const dates = (monday) => Array.from({ length: 8 }, (_, day) => new Date(monday + day * DAY).toISOString().slice(0, 10))
  let monday = Date.now() + 7 * DAY
  while (new Date(monday).getUTCDay() !== 1 || dates(monday).some((date) => HOLIDAYS.test(date.slice(5)))) monday += DAY
  return dates(monday)
}

/** Starts a server for one test. `set('2026-11-23 09:00')` sets its clock to this Shanghai time. The clock then runs on. */
export async function clockedMall(people) {
  const folder = mkdtempSync(join(tmpdir(), 'mall-clock-'))
  const file = join(folder, 'ahead')
  // Written atomically, because the server can read it at any time.
  const set = (moment) => {
    writeFileSync(`${file}.new`, String((Date.parse(`${moment.replace(' ', 'T')}:00+08:00`) - Date.now()) / 1000))
    renameSync(`${file}.new`, file)
  }
  writeFileSync(file, '0')
  const served = spawn('.venv/bin/python', ['-m', 'tests.e2e.clocked'], { cwd: ROOT, stdio: ['pipe', 'pipe', 'inherit'], env: { ...process.env, MALL_CLOCK: file } })
  const end = async () => {
    if (served.exitCode === null) {
      served.stdin.end()
      await once(served, 'exit')
    }
    rmSync(folder, { recursive: true })
  }
  const ended = once(served, 'exit').then(() => { throw new Error('the mall under its own clock has not started') })
  const [url] = await Promise.race([once(createInterface(served.stdout), 'line'), ended])
  ended.catch(() => undefined)
  people.atEnd(end)
  return { url, set }
}
