import { ApiError, MESSAGES, messageOfStatus, reportError, TOO_OFTEN } from '@/api/errors'
import { toApiError, getGuard, guardBody } from '@/api/guard'
import { endSession, freshToken, buildRefusal } from '@/api/refresh'
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
  /** The transport: fetch, or XMLHttpRequest when the caller needs progress. */
  via?: (sending: Sending, headers: Record<string, string>) => Promise<Response>
}

let unlocking: Promise<boolean> | null = null

const catalogueListeners = new Set<(version: string) => void>()
let catalogueVersion: string | null = null

/** The catalogue version of the latest answer; null before the first. */
export const currentCatalogue = (): string | null => catalogueVersion

/** Register a callback for a new catalogue version in an answer. */
export function onCatalogueChange(listener: (version: string) => void): () => void {
  catalogueListeners.add(listener)
  return () => catalogueListeners.delete(listener)
}

type CallGate = (url: string) => Promise<void> | null

let gate: CallGate = () => null

/** Set the function that returns a promise to wait for before a call is sent, or null. */
export function setCallGate(before: CallGate): void {
  gate = before
}

function noteCatalogue(response: Response): void {
  const version = response.headers.get('X-Catalogue-Version')
  if (!version || version === catalogueVersion) return
  catalogueVersion = version
  for (const listener of catalogueListeners) listener(version)
}

/**
 * The envelope of an answer, or null (a proxy's page, an empty body). Throws if the answer is cut
 * off.
 */
export async function getEnvelope(response: Response): Promise<Envelope | null> {
  const text = await response.text()
  try {
    return JSON.parse(text) as Envelope
  } catch {
    return null
  }
}

async function byFetch(
  { method, url, body, signal }: Sending,
  headers: Record<string, string>,
): Promise<Response> {
  const guard = getGuard(signal)
  try {
    return guardBody(
      await fetch(url, { method, headers, body: body ?? null, signal: guard.signal }),
      guard,
      signal,
    )
  } catch (error) {
    guard.rest()
    throw toApiError(error, guard, signal)
  }
}

async function sendOnce(sending: Sending, token: string | null): Promise<Response> {
  const headers = {
    Accept: 'application/json',
    ...sending.headers,
    ...(token ? { Authorization: `Bearer ${token}` } : {}),
  }
  const response = await (sending.via ?? byFetch)(sending, headers)
  noteCatalogue(response)
  return response
}

function blockInfo(envelope: Envelope | null): BlockInfo {
  const block = (envelope?.MsgBody ?? {}) as Partial<BlockInfo>
  return {
    Ip: block.Ip || '未知',
    CurrentTime: block.CurrentTime || '未知',
    Target: block.Target || '未知',
    Guid: block.Guid || '未知',
  }
}

async function unlocked(response: Response): Promise<boolean> {
  const info = blockInfo(await getEnvelope(response))
  unlocking ??= shell()
    .unlock(info)
    .finally(() => {
      unlocking = null
    })
  return unlocking
}

const blocked = (message: string = MESSAGES.blocked): ApiError =>
  new ApiError(message, TOO_OFTEN, 429)

/** A block with seconds in its body only ends with time; the slide puzzle would not help. */
const endsOnlyWithTime = (envelope: Envelope | null): boolean =>
  (envelope?.MsgBody as { RetryAfter?: number } | null | undefined)?.RetryAfter !== undefined

/**
 * Blocked again after the slide puzzle: this limit only ends with time. The server's message says
 * so.
 */
async function stillBlocked(response: Response): Promise<ApiError> {
  const error = blocked((await getEnvelope(response))?.MsgHeader?.RetMessage)
  reportError(error.message)
  return error
}

async function exchange(sending: Sending): Promise<Response> {
  await gate(sending.url)
  // While the dialog 安全验证 is open, all calls wait for it except its own.
  const forUnlock = /\/api\/Account\/(Captcha|UnLock)/.test(sending.url)
  let isRefreshed = false
  let isReplayed = false
  for (;;) {
    // Sequential: each attempt decides whether another one follows.
    if (unlocking && !forUnlock && !(await unlocking)) throw blocked()
    const token = session.get()?.Token ?? null
    const response = await sendOnce(sending, token)
    if (response.status === 401) {
      if (!session.get()?.RefreshToken) throw buildRefusal(token)
      if (isRefreshed) throw endSession(MESSAGES.expired)
      await freshToken(token)
      isRefreshed = true
    } else if (
      response.status === 429 &&
      !forUnlock &&
      !endsOnlyWithTime(await getEnvelope(response.clone()))
    ) {
      if (isReplayed) throw await stillBlocked(response)
      if (!(await unlocked(response))) throw blocked()
      isReplayed = true
    } else return response
  }
}

/**
 * Send one call with the person's token. Handles token refresh, rate limits, the time-out and the
 * overlay.
 */
export async function send(sending: Sending): Promise<Response> {
  const done = sending.loading ? occupy() : null
  try {
    return await exchange(sending)
  } finally {
    done?.()
  }
}

/** Unwrap the answer of `send`. Throws ApiError for a refusal. */
export async function unwrap(response: Response): Promise<unknown> {
  const envelope = await getEnvelope(response)
  const header = envelope?.MsgHeader
  if (response.ok && header?.Success) return envelope?.MsgBody
  const id = header?.RequestId ?? null
  if (response.ok && header)
    throw new ApiError(
      header.RetMessage || MESSAGES.failed,
      header.RetCode ?? 'failed',
      response.status,
      envelope?.MsgBody,
      id,
    )
  if (response.ok) throw new ApiError(MESSAGES.failed, 'no_envelope', response.status)
  if (response.status === 429 && endsOnlyWithTime(envelope) && header?.RetMessage)
    throw new ApiError(header.RetMessage, TOO_OFTEN, 429, envelope?.MsgBody, id)
  throw new ApiError(
    messageOfStatus(response.status),
    header?.RetCode ?? `http_${response.status}`,
    response.status,
    envelope?.MsgBody,
    id,
    header?.RetMessage,
  )
}
