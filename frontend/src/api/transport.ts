import { ApiError, MESSAGES, messageOfStatus, reportError } from '@/api/errors'
import { failure, guardOf, watched } from '@/api/guard'
import { freshToken, endSession } from '@/api/refresh'
import { occupy, shell, type BlockInfo } from '@/api/shell'
import { session } from '@/lib/session'

export interface Envelope {
  MsgHeader?: { Success?: boolean; RetCode?: string; RetMessage?: string; RequestId?: string }
  MsgBody?: unknown
}

export interface Sending {
  method: string
  url: string
  headers?: Record<string, string>
  body?: BodyInit | null
  signal?: AbortSignal | undefined
  loading: boolean
  /** How it travels: by fetch, unless the caller knows a way that tells how far it has come. */
  via?: (sending: Sending, headers: Record<string, string>) => Promise<Response>
}

let unlocking: Promise<boolean> | null = null

const catalogueListeners = new Set<(version: string) => void>()
let catalogueVersion: string | null = null

/** The version of the catalogue that the latest answer told; null before the first. */
export const currentCatalogue = (): string | null => catalogueVersion

/** Calls back with the catalogue's version when an answer tells one that none has told before. */
export function onCatalogueChange(listener: (version: string) => void): () => void {
  catalogueListeners.add(listener)
  return () => catalogueListeners.delete(listener)
}

type Hold = (url: string) => Promise<void> | null

let hold: Hold = () => null

/** What every call waits for before it is sent, where there is something to wait for. */
export function holdCalls(before: Hold): void {
  hold = before
}

function noteCatalogue(response: Response): void {
  const version = response.headers.get('X-Catalogue-Version')
  if (!version || version === catalogueVersion) return
  catalogueVersion = version
  for (const listener of catalogueListeners) listener(version)
}

/** The envelope of an answer; null where there is none (a proxy's page, an empty body). Raises where the answer breaks off. */
export async function envelopeOf(response: Response): Promise<Envelope | null> {
  const text = await response.text()
  try {
    return JSON.parse(text) as Envelope
  } catch {
    return null
  }
}

async function byFetch({ method, url, body, signal }: Sending, headers: Record<string, string>): Promise<Response> {
  const guard = guardOf(signal)
  try {
    return watched(await fetch(url, { method, headers, body: body ?? null, signal: guard.signal }), guard, signal)
  } catch (error) {
    guard.rest()
    throw failure(error, guard, signal)
  }
}

async function once(sending: Sending, token: string | null): Promise<Response> {
  const headers = { Accept: 'application/json', ...sending.headers, ...(token ? { Authorization: `Bearer ${token}` } : {}) }
  const response = await (sending.via ?? byFetch)(sending, headers)
  noteCatalogue(response)
  return response
}

function blockInfo(envelope: Envelope | null): BlockInfo {
  const told = (envelope?.MsgBody ?? {}) as Partial<BlockInfo>
  return { Ip: told.Ip || '未知', CurrentTime: told.CurrentTime || '未知', Target: told.Target || '未知', Guid: told.Guid || '未知' }
}

async function unlocked(response: Response): Promise<boolean> {
  const info = blockInfo(await envelopeOf(response))
  unlocking ??= shell()
    .unlock(info)
    .finally(() => {
      unlocking = null
    })
  return unlocking
}

const blocked = (message: string = MESSAGES.blocked): ApiError => new ApiError(message, 'rate_limited', 429)

/** Still too often after the slide: the limit is of a kind that only time lifts, and the server says so. */
async function stillBlocked(response: Response): Promise<ApiError> {
  const error = blocked((await envelopeOf(response))?.MsgHeader?.RetMessage)
  reportError(error.message)
  return error
}

async function exchange(sending: Sending): Promise<Response> {
  await hold(sending.url)
  // While the dialog 安全验证 is open every call waits for it — but for the ones the dialog itself needs.
  const forUnlock = /\/api\/Account\/(Captcha|UnLock)/.test(sending.url)
  let refreshed = false
  let replayed = false
  for (;;) {
    // One at a time, in this order: each step decides whether there is a next one.
    // oxlint-disable no-await-in-loop
    if (unlocking && !forUnlock && !(await unlocking)) throw blocked()
    const token = session.get()?.Token ?? null
    const response = await once(sending, token)
    if (response.status === 401) {
      if (!session.get()?.RefreshToken) throw endSession(MESSAGES.signIn)
      if (refreshed) throw endSession(MESSAGES.expired)
      await freshToken(token)
      refreshed = true
    } else if (response.status === 429 && !forUnlock) {
      if (replayed) throw await stillBlocked(response)
      if (!(await unlocked(response))) throw blocked()
      replayed = true
    } else return response
  }
}

/** One call with the person's token, a refresh where it has expired, the wait of a rate limit, the time-out and the overlay. */
export async function send(sending: Sending): Promise<Response> {
  const done = sending.loading ? occupy() : null
  try {
    return await exchange(sending)
  } finally {
    done?.()
  }
}

/** The answer of `send`, unwrapped; raises ApiError where it is a refusal. */
export async function unwrap(response: Response): Promise<unknown> {
  const envelope = await envelopeOf(response)
  const header = envelope?.MsgHeader
  if (response.ok && header?.Success) return envelope?.MsgBody
  const id = header?.RequestId ?? null
  if (response.ok && header) throw new ApiError(header.RetMessage || MESSAGES.failed, header.RetCode ?? 'failed', response.status, envelope?.MsgBody, id)
  if (response.ok) throw new ApiError(MESSAGES.failed, 'no_envelope', response.status)
  throw new ApiError(messageOfStatus(response.status), header?.RetCode ?? `http_${response.status}`, response.status, envelope?.MsgBody, id, header?.RetMessage)
}
