import { shell } from '@/api/shell'
import { isNews } from '@/lib/news'

/** Section 8 of the spec as a table. */
export const MESSAGES = {
  failed: '请求失败',
  signIn: '未登录或登录已过期，请重新登录',
  expired: '登录已过期，请重新登录',
  noUser: '用户信息不存在',
  network: '网络连接故障',
  download: '下载失败',
  blocked: '系统识别到您的访问存在安全隐患',
} as const

/** The RetCode of 429. */
export const TOO_OFTEN = 'rate_limited'

const BY_STATUS: Readonly<Record<number, string>> = {
  401: MESSAGES.signIn,
  403: '拒绝访问',
  404: '请求地址错误',
  500: '服务器故障',
}

export const messageOfStatus = (status: number): string => BY_STATUS[status] ?? MESSAGES.network

export type FieldErrors = Readonly<Record<string, readonly string[]>>

/**
 * A refused or failed call: `code` is the server's RetCode, or `network`, `timeout`, `http_403`
 * where there is none.
 */
export class ApiError extends Error {
  override readonly name = 'ApiError'

  constructor(
    message: string,
    readonly code: string,
    readonly status: number,
    readonly body: unknown = null,
    readonly requestId: string | null = null,
    /** The server's message when `message` is the text of the status; empty if there is none. */
    readonly serverText: string = '',
  ) {
    super(message)
  }

  /** Messages per field of a validation error. */
  get fields(): FieldErrors {
    const errors = (this.body as { Errors?: FieldErrors } | null)?.Errors
    return errors ?? {}
  }
}

export const isApiError = (error: unknown, code?: string): error is ApiError =>
  error instanceof ApiError && (code === undefined || error.code === code)

/** The first message of each field, for forms that show one line under the input. */
export function fieldMessages(error: unknown): Record<string, string> {
  if (!isApiError(error)) return {}
  return Object.fromEntries(
    Object.entries(error.fields).map(([field, messages]) => [field, messages[0] ?? '']),
  )
}

/** Show an error. The same text within 3 seconds is shown once. */
export function reportError(message: string): void {
  if (isNews(message)) shell().error(message)
}
