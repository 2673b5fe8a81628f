import { ApiError, MESSAGES } from '@/api/errors'
import { shell } from '@/api/shell'
import { session, type TokenAnswer } from '@/lib/session'

interface Envelope {
  MsgHeader?: { Success?: boolean; RetMessage?: string }
  MsgBody?: TokenAnswer
}

let running: Promise<string> | null = null

/** How long the lock is kept once a token is stored: what one tab stores reaches the next one's process a little later, in milliseconds. */
const SPREAD = 100

/** One tab at a time. Plain http on a host name has no locks: the server answers tabs that refresh at once with the same pair. */
function alone(work: () => Promise<string>): Promise<string> {
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

/** Signs the person out here and asks to sign in again. */
export function endSession(message: string): ApiError {
  session.end()
  shell().promptLogin(message)
  return new ApiError(message, 'not_logged_in', 401)
}

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
    // A server that is down says nothing about the token: the person stays signed in.
    if (response.status >= 500 || response.status === 429) throw new ApiError(MESSAGES.network, `http_${response.status}`, response.status)
    envelope = (await response.json()) as Envelope
  } catch (error) {
    throw error instanceof ApiError ? error : new ApiError(MESSAGES.network, 'network', 0)
  }
  const answer = envelope.MsgBody
  if (!envelope.MsgHeader?.Success || !answer?.Token || !session.start(answer)) throw endSession(envelope.MsgHeader?.RetMessage || MESSAGES.expired)
  return answer.Token
}

function refreshUnlessDone(used: string | null): Promise<string> {
  const present = session.reload()
  return present && used !== null && present.Token !== used ? Promise.resolve(present.Token) : refresh()
}

/** A token newer than `used`. Whoever asks while a refresh runs, here or in another tab, waits for that one and takes its token. */
export function freshToken(used: string | null): Promise<string> {
  running ??= alone(() => refreshUnlessDone(used)).finally(() => {
    running = null
  })
  return running
}
