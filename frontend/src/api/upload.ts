import { showError } from '@/api/call'
import { reportError } from '@/api/errors'
import { toApiError, getGuard } from '@/api/guard'
import { send, unwrap, type Sending } from '@/api/transport'

const MB = 1024 * 1024

export interface FileRules {
  /** MIME types; an entry ending in /* matches by prefix. */
  types?: readonly string[]
  minMb?: number
  maxMb?: number
  typeMessage?: string
  minMessage?: string
  maxMessage?: string
}

export interface Verdict {
  valid: boolean
  message: string
  type: 'type' | 'minSize' | 'maxSize' | 'success'
}

/** Section 5 of the spec: check the type, then the smallest and the largest size. */
export function validateFile(
  file: File,
  { types, minMb, maxMb, typeMessage, minMessage, maxMessage }: FileRules,
): Verdict {
  const isAllowed =
    !types?.length ||
    types.some((type) =>
      type.endsWith('/*') ? file.type.startsWith(type.slice(0, -1)) : file.type === type,
    )
  if (!isAllowed) return { valid: false, message: typeMessage ?? '不支持的文件类型', type: 'type' }
  if (minMb !== undefined && file.size < minMb * MB)
    return { valid: false, message: minMessage ?? `文件大小不能小于 ${minMb}MB`, type: 'minSize' }
  if (maxMb !== undefined && file.size > maxMb * MB)
    return { valid: false, message: maxMessage ?? `文件大小不能超过 ${maxMb}MB`, type: 'maxSize' }
  return { valid: true, message: '文件验证通过', type: 'success' }
}

export const IMAGE_SEARCH_RULES: FileRules = {
  types: ['image/*'],
  maxMb: 2,
  typeMessage: '请上传图片文件',
  maxMessage: '图片大小不能超过2MB',
}

export interface UploadOptions {
  url?: string
  field?: string
  extra?: Readonly<Record<string, string>>
  rules?: FileRules
  loading?: boolean
  /** Cancels it. */
  signal?: AbortSignal
  /** Progress from 0 to 100. */
  onProgress?: (percent: number) => void
  /** The caller shows the refusal itself. */
  quiet?: boolean
}

export interface UploadedFile {
  FileId: string
  Name: string
  Size: number
  Url: string
}

const DEFAULT_URL = '/api/File/Execute'

const NO_BODY = new Set([204, 205, 304])

function headersOf(lines: string): Headers {
  const headers = new Headers()
  for (const line of lines.trim().split('\r\n')) {
    const [name = '', ...value] = line.split(':')
    if (name) headers.append(name.trim(), value.join(':').trim())
  }
  return headers
}

/** Send with XMLHttpRequest, which reports progress. Ends after 60 s without progress. */
const withProgress =
  (onProgress: (percent: number) => void): NonNullable<Sending['via']> =>
  ({ method, url, body, signal }, headers) =>
    new Promise((resolve, reject) => {
      const request = new XMLHttpRequest()
      const guard = getGuard(signal)
      const fail = (): void => {
        guard.rest()
        reject(toApiError(signal?.reason, guard, signal))
      }
      guard.signal.addEventListener('abort', () => {
        request.abort()
        fail()
      })
      request.upload.addEventListener('progress', ({ loaded, total }) => {
        guard.rearm()
        if (total) onProgress(Math.floor((loaded / total) * 100))
      })
      request.addEventListener('progress', guard.rearm)
      request.addEventListener('error', fail)
      request.addEventListener('load', () => {
        guard.rest()
        const text = NO_BODY.has(request.status) ? null : request.responseText
        resolve(
          new Response(text, {
            status: request.status,
            headers: headersOf(request.getAllResponseHeaders()),
          }),
        )
      })
      request.open(method, url)
      for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value)
      if (guard.signal.aborted) fail()
      else request.send(body as XMLHttpRequestBodyInit)
    })

/**
 * Upload one file. Returns null if the rules refuse it (the reason is shown). Throws ApiError when
 * the server refuses, and the signal's reason on cancel.
 */
export async function upload<T = UploadedFile>(
  file: File,
  options: UploadOptions = {},
): Promise<T | null> {
  const {
    url = DEFAULT_URL,
    field = 'file',
    extra = {},
    rules,
    loading = true,
    signal,
    onProgress,
    quiet = false,
  } = options
  const verdict = rules ? validateFile(file, rules) : null
  if (verdict && !verdict.valid) {
    reportError(verdict.message)
    return null
  }
  const form = new FormData()
  form.append(field, file)
  for (const [name, value] of Object.entries(extra)) form.append(name, value)
  // The default endpoint requires the field `path` with an empty value.
  if (url === DEFAULT_URL) form.append('path', 'null')
  try {
    return (await unwrap(
      await send({
        method: 'POST',
        url,
        body: form,
        loading,
        signal,
        ...(onProgress ? { via: withProgress(onProgress) } : {}),
      }),
    )) as T
  } catch (error) {
    if (!quiet) showError(error)
    throw error
  }
}
