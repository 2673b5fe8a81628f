// The frame of a browser test: several users, each with his own profile, in the browser of the lane.
import assert from 'node:assert/strict'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { DELAY, launch, PASSWORD, profile, tab, url } from './browser.mjs'

const FAILURES = fileURLToPath(new URL('../../var/e2e/failures', import.meta.url))
const TIMEOUT = DELAY ? 900_000 : 240_000
/** A stored session is reused only up to this age, half the life of its token, because two profiles must not both refresh it. */
const FRESH = 5 * 60_000

/** The lane's browsers with and without pictures, each started by the first journey that uses it. */
const started = new Map()
function browser(pictures) {
  if (!started.has(pictures)) started.set(pictures, launch({ pictures, optimizes: false }))
  return started.get(pictures)
}
export const closeBrowser = async () => {
  for (const one of started.values()) await (await one).close()
}
// Only for a file run on its own. A lane closes the browser after its last file.
if (!process.env.E2E_CLAIMS) after(closeBrowser)

const kept = new Map()

/** Returns the browser storage of this account after a sign-in. The API signs in; signin.test.mjs tests the form. */
async function signedIn(name, address) {
  const key = `${name} ${address}`
  const known = kept.get(key)
  if (known && Date.now() - known.at < FRESH) return known.storageState
  const headers = { 'Content-Type': 'application/json' }
  const answer = await fetch(`${address}/api/Account/Login`, { method: 'POST', headers, body: JSON.stringify({ UserName: name, Password: PASSWORD }) })
  const { MsgHeader, MsgBody } = await answer.json()
  assert.ok(MsgHeader.Success, `${name} cannot sign in: ${MsgHeader.RetMessage}`)
  const claims = JSON.parse(Buffer.from(MsgBody.Token.split('.')[1], 'base64url'))
  const person = { User: { uid: String(claims.uid), utype: claims.utype, nname: claims.nname }, Enterprise: claims.Enterprise, Role: claims.Role, Purchasing: claims.Purchasing, RefreshToken: MsgBody.RefreshToken }
  const localStorage = Object.entries({ Token: MsgBody.Token, UserInfo: person }).map(([item, value]) => ({ name: item, value: JSON.stringify(value) }))
  const storageState = { cookies: [], origins: [{ origin: address, localStorage }] }
  kept.set(key, { storageState, at: Date.now() })
  return storageState
}

/** The access token of each page that was opened with `as`. */
const tokens = new WeakMap()
/** Returns the access token with which the page was opened. */
export const tokenOf = (page) => tokens.get(page)

const running = []
const looking = new Map()

/**
 * The shared profile of the lane for read-only tests. Its cache avoids reloading the program. Between tests a profile with an old token is
 * replaced: the browser would report the answer 401 to an expired one as an error of the page.
 */
async function lookers(as, pictures, options) {
  const name = `${as ?? 'visitor'}${pictures ? ' with pictures' : ''}`
  const known = looking.get(name)
  if (known?.context.pages().length) return known.context
  const storageState = as && (await signedIn(as, url))
  if (known && known.storageState === storageState) return known.context
  await known?.context.close()
  const context = await profile(await browser(pictures), { ...options, storageState })
  looking.set(name, { context, storageState })
  return context
}

async function picture(name, opened) {
  mkdirSync(FAILURES, { recursive: true })
  for (const [index, { page, faults }] of opened.entries()) {
    const path = join(FAILURES, `${name.replaceAll(/[^\p{L}\p{N}]+/gu, '-')}-${index}.png`)
    await page.screenshot({ path, fullPage: true }).catch(() => undefined)
    process.stdout.write([page.url(), path, ...faults, ''].join('\n'))
  }
}

/** Runs a test. At the end no page may have errors. After a failure, a screenshot of each page is in var/e2e/failures. */
async function withPeople(walk, name, pictures) {
  const opened = []
  const ends = []
  const people = async ({ as, may, onlyLooks, ...options } = {}) => {
    const storageState = as && !onlyLooks ? await signedIn(as, options.baseURL ?? url) : undefined
    const context = onlyLooks ? await lookers(as, pictures, options) : await profile(await browser(pictures), { ...options, storageState })
    const one = await tab(context, { may })
    if (storageState) tokens.set(one.page, JSON.parse(storageState.origins[0].localStorage.find(({ name }) => name === 'Token').value))
    opened.push({ ...one, close: () => (onlyLooks ? one.page : context).close() })
    return opened.at(-1)
  }
  // The test's own server must run until the pages are closed, so these functions run last.
  people.atEnd = (end) => ends.push(end)
  try {
    await walk(people)
    for (const one of opened) one.well()
  } catch (error) {
    await picture(name, opened)
    throw error
  } finally {
    for (const { close } of opened) await close()
    for (const end of ends) await end()
  }
}

/**
 * Defines a test. `people({ as, may, width, height })` opens a page with its own profile, signed in if `as` names an account. A test that
 * signs out on the server must sign in by itself, because a sign-out also ends the other profiles of the account. With `onlyLooks` the page
 * uses the profile that all read-only tests of this account share in the lane. A test with many screens sets its own `timeout`. A test that looks at
 * pictures, or at sizes that depend on them, sets `pictures`; in the others no picture is loaded. addresses.test.mjs opens every screen with them.
 */
export function journey(name, walk, { timeout = TIMEOUT, pictures = false } = {}) {
  running.push(test(name, { timeout }, () => withPeople(walk, name, pictures)))
}

/** Waits until all registered tests have ended. */
export const ended = () => Promise.all(running.splice(0))
