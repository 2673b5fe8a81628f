import { ApiError, MESSAGES, messageOfStatus } from '@/api/errors'
import { freshToken, endSession } from '@/api/refresh'
import { occupy, shell, type BlockInfo } from '@/api/shell'
import { session } from '@/lib/session'

export const TIMEOUT = 60_000

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

/** The envelope of an answer; null where there is none (a proxy's page, an empty body). */
export async function envelopeOf(response: Response): Promise<Envelope | null> {
  try {
    return (await response.json()) as Envelope
  } catch {
    return null
  }
}

async function once({ method, url, headers, body, signal }: Sending, token: string | null): Promise<Response> {
  const stop = new AbortController()
  let late = false
  const timer = setTimeout(() => {
    late = true
    stop.abort()
  }, TIMEOUT)
  const cancel = (): void => stop.abort()
  if (signal?.aborted) cancel()
  signal?.addEventListener('abort', cancel)
  try {
    const response = await fetch(url, {
      method,
      headers: { Accept: 'application/json', ...headers, ...(token ? { Authorization: `Bearer ${token}` } : {}) },
      body: body ?? null,
      signal: stop.signal,
    })
    noteCatalogue(response)
    return response
  } catch (error) {
    if (signal?.aborted) throw error
    throw new ApiError(MESSAGES.network, late ? 'timeout' : 'network', 0)
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', cancel)
  }
}

function blockInfo(envelope: Envelope | null, url: string): BlockInfo {
  const told = (envelope?.MsgBody ?? {}) as Partial<BlockInfo>
  return { Ip: told.Ip || '未知', CurrentTime: told.CurrentTime || '未知', Target: told.Target || url || '未知', Guid: told.Guid || '未知' }
}

async function unlocked(response: Response, url: string): Promise<boolean> {
  const info = blockInfo(await envelopeOf(response), url)
  unlocking ??= shell()
    .unlock(info)
    .finally(() => {
      unlocking = null
    })
  return unlocking
}

async function exchange(sending: Sending): Promise<Response> {
  await hold(sending.url)
  // While the dialog 安全验证 is open every call waits for it — but for the ones the dialog itself needs.
  const forUnlock = /\/api\/Account\/(Captcha|UnLock)/.test(sending.url)
  if (unlocking && !forUnlock) await unlocking
  let token = session.get()?.Token ?? null
  let response = await once(sending, token)
  if (response.status === 401) {
    if (!session.get()?.RefreshToken) throw endSession(MESSAGES.signIn)
    token = await freshToken(token)
    response = await once(sending, token)
    if (response.status === 401) throw endSession(MESSAGES.expired)
  }
  if (response.status === 429 && !forUnlock) {
    if (!(await unlocked(response, sending.url))) throw new ApiError(MESSAGES.blocked, 'rate_limited', 429)
    response = await once(sending, session.get()?.Token ?? null)
  }
  return response
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
