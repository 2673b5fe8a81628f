import { ApiError, MESSAGES, reportError } from '@/api/errors'
import { getEnvelope, send } from '@/api/transport'

export interface Downloaded {
  filename: string
  size: number
  success: boolean
}

/** Percent-encoded bytes in the character set they name. */
function decodeBytes(text: string, charset: string): string {
  try {
    const bytes = text.replaceAll(/%([0-9a-f]{2})/gi, (_, hex: string) =>
      String.fromCharCode(parseInt(hex, 16)),
    )
    return new TextDecoder(charset, { fatal: true }).decode(
      Uint8Array.from(bytes, (letter) => letter.charCodeAt(0)),
    )
  } catch {
    return text
  }
}

/**
 * The file name of a Content-Disposition header. `filename*` comes first, because only it encodes
 * Chinese safely.
 */
export function getFilename(disposition: string | null): string | null {
  if (!disposition) return null
  const extended = /filename\*\s*=\s*"?([\w-]+)'[^']*'([^;"]+)/i.exec(disposition)
  if (extended?.[1] && extended[2]) return decodeBytes(extended[2].trim(), extended[1])
  const plain = /filename\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^;]+))/i.exec(disposition)
  const name = plain?.[1]?.replace(/\\(.)/g, '$1') ?? plain?.[2]?.trim()
  return name ? (/%[0-9a-f]{2}/i.test(name) ? decodeBytes(name, 'utf-8') : name) : null
}

function save(blob: Blob, filename: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(blob)
  link.download = filename
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000)
}

interface DownloadOptions {
  method?: string
  fallback?: string
}

/**
 * Download a file. A FormData body is sent as it is, other bodies as JSON. On failure shows
 * RetMessage or 下载失败 and throws ApiError.
 */
export async function download(
  url: string,
  body?: unknown,
  { method = 'POST', fallback = '下载文件.xls' }: DownloadOptions = {},
): Promise<Downloaded> {
  try {
    const isForm = body instanceof FormData
    const sent = method === 'GET' ? null : isForm ? body : JSON.stringify(body ?? {})
    const headers: Record<string, string> =
      sent === null || isForm ? {} : { 'Content-Type': 'application/json' }
    const response = await send({ method, url, headers, body: sent, loading: true })
    const isJson =
      response.headers.get('Content-Type')?.includes('application/json') &&
      !response.headers.get('Content-Disposition')
    if (!response.ok || isJson) {
      const header = (await getEnvelope(response))?.MsgHeader
      throw new ApiError(
        header?.RetMessage || MESSAGES.download,
        header?.RetCode ?? 'download',
        response.status,
      )
    }
    const blob = await response.blob()
    const filename =
      getFilename(response.headers.get('Content-Disposition')) ?? (fallback || 'download')
    save(blob, filename)
    return { filename, size: blob.size, success: true }
  } catch (error) {
    if (error instanceof ApiError && error.status !== 401 && error.status !== 429)
      reportError(error.message)
    throw error
  }
}

/** Like `download`, but returns false after a failure, which `download` has shown. */
export const tryDownload = (
  url: string,
  body?: unknown,
  options?: DownloadOptions,
): Promise<boolean> =>
  download(url, body, options).then(
    () => true,
    () => false,
  )
