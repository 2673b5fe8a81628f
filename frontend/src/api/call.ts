import { ApiError, isApiError, MESSAGES, reportError } from '@/api/errors'
import { keyFor, settleKey } from '@/api/idempotency'
import { endSession } from '@/api/refresh'
import type { paths } from '@/api/schema'
import { send, unwrap } from '@/api/transport'
import { search } from '@/lib/paths'
import { session } from '@/lib/session'

type Api = paths
type Method = 'get' | 'post' | 'put' | 'patch' | 'delete'
type Operation<P extends keyof Api, M extends Method> = M extends keyof Api[P] ? Api[P][M] : never
export type PathsOf<M extends Method> = {
  [P in keyof Api]: Operation<P, M> extends { responses: unknown } ? P : never
}[keyof Api]

type JsonOf<T> = T extends { content: { 'application/json': infer B } } ? B : never

/** The MsgBody that a call returns. */
export type Answer<P extends keyof Api, M extends Method = 'get'> =
  Operation<P, M> extends { responses: { 200: infer R } }
    ? JsonOf<R> extends { MsgBody?: infer B }
      ? B
      : unknown
    : unknown
interface Paging {
  PageIndex?: number
  PageSize?: number
}

/** The query of a call. Every list accepts a page. */
export type Query<P extends keyof Api, M extends Method = 'get'> =
  Operation<P, M> extends { parameters: { query?: infer Q } }
    ? [NonNullable<Q>] extends [never]
      ? Paging
      : NonNullable<Q> & Paging
    : Paging
/** The body of a call. */
export type Body<P extends keyof Api, M extends Method = 'post'> =
  Operation<P, M> extends { requestBody?: infer R } ? JsonOf<NonNullable<R>> : never
type PathParams<P extends keyof Api, M extends Method> =
  Operation<P, M> extends { parameters: { path: infer T } } ? T : never

export interface Options<P extends keyof Api, M extends Method> {
  query?: Query<P, M>
  path?: PathParams<P, M>
  body?: Body<P, M>
  signal?: AbortSignal
  /** Show the overlay. Default: on for writes, off for reads. */
  loading?: boolean
  /**
   * For signed-in people only: a visitor gets a 401 and the sign-in prompt, and nothing is sent.
   */
  login?: boolean
  /** The caller shows the error itself (in a form or in the screen's error state). */
  quiet?: boolean
}

/** POSTs that only read: no idempotency key, no overlay. */
const READS = new Set([
  '/api/Product/SupposeCategory',
  '/api/Product/Search',
  '/api/Product/Select',
  '/api/Category/GetCustomerCategories',
  '/api/Category/MallCategories',
  '/api/Account/GetUserMenuList',
  '/api/ShoppingCart/YouLike/{Scene}/{Count}',
  '/api/ShoppingCart/Count',
  '/api/ManageService/EnterpriseGroupSet',
  '/api/Order/Preview',
  '/api/Product/QuickOrder',
  '/api/InvoiceApplication/Preview',
])

function urlOf(
  template: string,
  path: Record<string, string | number> | undefined,
  query: Record<string, unknown> | undefined,
): string {
  const url = template
    .split(/(\{\w+\})/)
    .map((part) => {
      if (!part.startsWith('{')) return encodeURI(part)
      const value = path?.[part.slice(1, -1)]
      if (value === undefined || value === null || value === '')
        throw new Error(`${template} needs ${part}`)
      return encodeURIComponent(String(value))
    })
    .join('')
  return url + search((query ?? {}) as Parameters<typeof search>[0])
}

/** Call the API and return MsgBody. An error is shown once and thrown as ApiError. */
export async function call<M extends Method, P extends PathsOf<M>>(
  method: M,
  path: P,
  options: Options<P, M> = {},
): Promise<Answer<P, M>> {
  const { query, path: params, body, signal, quiet = false, login = false } = options
  if (login && !session.get()) throw endSession(MESSAGES.signIn)
  const template: string = path
  const url = urlOf(
    template,
    params as Record<string, string | number> | undefined,
    query as Record<string, unknown> | undefined,
  )
  const isRead = method === 'get' || READS.has(template)
  const text = body === undefined ? '' : JSON.stringify(body)
  const key = method === 'post' && !isRead ? keyFor(url, text) : null
  const headers: Record<string, string> = {}
  if (body !== undefined) headers['Content-Type'] = 'application/json'
  if (key) headers['Idempotency-Key'] = key
  try {
    const response = await send({
      method: method.toUpperCase(),
      url,
      headers,
      body: text || null,
      signal,
      loading: options.loading ?? !isRead,
    })
    const answer = (await unwrap(response)) as Answer<P, M>
    if (key) settleKey(url, key)
    return answer
  } catch (error) {
    if (!quiet) {
      if (!isRead && isApiError(error) && error.status === 404) reportVanished(error)
      else showError(error)
    }
    throw error
  }
}

/**
 * Show that a write found nothing. The text of the status is followed by the server's words, which
 * say what is gone: another tab or a colleague may have removed it.
 */
const reportVanished = ({ message, serverText }: ApiError): void =>
  reportError(serverText ? `${message}：${serverText}` : message)

/**
 * The dialogs of 401 and 429 already showed their errors, except for a block that only ends with
 * time.
 */
export function showError(error: unknown): void {
  if (!isApiError(error)) return
  const endsOnlyWithTime =
    error.status === 429 && (error.body as { RetryAfter?: number } | null)?.RetryAfter !== undefined
  if (endsOnlyWithTime || (error.status !== 401 && error.status !== 429)) reportError(error.message)
}

export { ApiError }
