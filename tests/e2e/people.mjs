// How a browser test is written: a walk by people, each with a profile of his own, all in the one browser of the file.
import { appendFileSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { launch, profile, tab } from './browser.mjs'
import { LoginPage } from './pages/login.mjs'

const FAILURES = fileURLToPath(new URL('../../var/e2e/failures', import.meta.url))
const AGAIN = fileURLToPath(new URL('../../var/e2e/again.txt', import.meta.url))
const TIMEOUT = 240_000
/** How often a walk may be tried: a busy machine can be late once. Each that needed a second try is named at the end of the run. */
const TRIES = Number(process.env.E2E_TRIES ?? 1)
/** A kept sign-in is given to no new profile later than this: half the life of its token, which two profiles must not both renew. */
const FRESH = 5 * 60_000

let started
const browser = () => (started ??= launch())
after(async () => (await started)?.close())

const kept = new Map()

/** What a browser keeps of this account once it has signed in. */
async function signedIn(name) {
  const known = kept.get(name)
  if (known && Date.now() - known.at < FRESH) return known.storageState
  const context = await profile(await browser())
  const { page } = await tab(context)
  await new LoginPage(page).signIn(name)
  const storageState = await context.storageState()
  await context.close()
  kept.set(name, { storageState, at: Date.now() })
  return storageState
}

const looking = new Map()

/** The one profile of the file for people who only look: its cache spares every visit but the first the loading of the program. */
async function lookers(as, options) {
  const name = as ?? 'visitor'
  if (!looking.has(name)) looking.set(name, await profile(await browser(), { ...options, storageState: as && (await signedIn(as)) }))
  return looking.get(name)
}

async function picture(name, opened) {
  mkdirSync(FAILURES, { recursive: true })
  for (const [index, { page, faults }] of opened.entries()) {
    const path = join(FAILURES, `${name.replaceAll(/[^\p{L}\p{N}]+/gu, '-')}-${index}.png`)
    await page.screenshot({ path, fullPage: true }).catch(() => undefined)
    process.stdout.write([page.url(), path, ...faults, ''].join('\n'))
  }
}

/** Runs a walk; at the end every page must have been well. When it fails, each page's picture is left in var/e2e/failures. */
export async function withPeople(walk, name = 'before') {
  const opened = []
  const people = async ({ as, may, onlyLooks, ...options } = {}) => {
    const context = onlyLooks ? await lookers(as, options) : await profile(await browser(), { ...options, storageState: as && (await signedIn(as)) })
    const one = await tab(context, { may })
    opened.push({ ...one, close: () => (onlyLooks ? one.page : context).close() })
    return opened.at(-1)
  }
  try {
    await walk(people)
    for (const one of opened) one.well()
  } catch (error) {
    await picture(name, opened)
    throw error
  } finally {
    for (const { close } of opened) await close()
  }
}

async function tried(walk, name) {
  for (let left = TRIES - 1; left > 0; left -= 1) {
    try {
      return await withPeople(walk, name)
    } catch (error) {
      appendFileSync(AGAIN, `${name}\n${error.stack}\n\n`)
      for (const context of looking.values()) await context.close()
      looking.clear()
      kept.clear()
    }
  }
  return withPeople(walk, name)
}

/**
 * A test. `people({ as, may, width, height })` opens a page with its own profile, signed in where `as` names an account; a walk that
 * signs out on the server signs in by itself instead, as the account's other profiles would be signed out too. With `onlyLooks` the
 * page opens in the profile that all walks of the file by this account share, for walks that change nothing. A walk through many
 * screens says its own `timeout`.
 */
export const journey = (name, walk, { timeout = TIMEOUT } = {}) => test(name, { timeout: timeout * TRIES }, () => tried(walk, name))
