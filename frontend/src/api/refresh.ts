import { ApiError, MESSAGES } from '@/api/errors'
import { shell } from '@/api/shell'
import { session, type TokenAnswer } from '@/lib/session'

interface Envelope {
  MsgHeader?: { Success?: boolean; RetMessage?: string }
  MsgBody?: TokenAnswer
}

let running: Promise<string> | null = null

/**
 * Milliseconds to hold the lock after a token is stored: another tab's process sees the stored
 * value a little later.
 */
const SPREAD = 100

/**
 * Refresh in one tab at a time. Plain http has no Web Locks; there the server answers simultaneous
 * refreshes with the same pair.
 */
function runInOneTab(work: () => Promise<string>): Promise<string> {
  if (!('locks' in navigator)) return work()
  return new Promise((resolve, reject) => {
    navigator.locks
      .request('token-refresh', async () => {
        await work().then(resolve, reject)
        await new Promise((spread) => setTimeout(spread, SPREAD))
      })
      .catch(reject)
  })
}

const notLoggedIn = (message: string): ApiError => new ApiError(message, 'not_logged_in', 401)

/** The last session that ended here, and the reason. */
let ended: { token: string; message: string } | null = null

/** Sign the person out and prompt to sign in again. */
export function endSession(message: string): ApiError {
  const token = session.get()?.Token
  if (token) ended = { token, message }
  session.end()
  shell().promptLogin(message)
  return notLoggedIn(message)
}

/**
 * The error of a call whose token cannot be refreshed. Calls of a session that already ended get
 * the same reason, without a second prompt.
 */
export const buildRefusal = (token: string | null): ApiError =>
  token !== null && token === ended?.token
    ? notLoggedIn(ended.message)
    : endSession(MESSAGES.signIn)

async function refresh(): Promise<string> {
  const now = session.get()
  if (!now?.RefreshToken) throw endSession(MESSAGES.signIn)
  if (!now.User.uid) throw endSession(MESSAGES.noUser)
  let envelope: Envelope
  try {
    const response = await fetch('/api/Account/RefreshToken', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ RefreshToken: now.RefreshToken, UserId: now.User.uid }),
      signal: AbortSignal.timeout(60_000),
    })
    // A server error proves nothing about the token: the person stays signed in.
    if (response.status >= 500 || response.status === 429)
      throw new ApiError(MESSAGES.network, `http_${response.status}`, response.status)
    envelope = (await response.json()) as Envelope
  } catch (error) {
    throw error instanceof ApiError ? error : new ApiError(MESSAGES.network, 'network', 0)
  }
  const answer = envelope.MsgBody
  if (!envelope.MsgHeader?.Success || !answer?.Token || !session.start(answer))
    throw endSession(envelope.MsgHeader?.RetMessage || MESSAGES.expired)
  return answer.Token
}

function refreshUnlessDone(used: string | null): Promise<string> {
  const present = session.reload()
  return present && used !== null && present.Token !== used
    ? Promise.resolve(present.Token)
    : refresh()
}

/**
 * Return a token newer than `used`. Callers during a refresh, here or in another tab, wait for it
 * and share its token.
 */
export function freshToken(used: string | null): Promise<string> {
  running ??= runInOneTab(() => refreshUnlessDone(used)).finally(() => {
    running = null
  })
  return running
}
