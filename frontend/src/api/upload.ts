import { reportError } from '@/api/errors'
import { showError } from '@/api/call'
import { send, unwrap } from '@/api/transport'

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

/** The spec's section 5: type first, then the smallest and the largest size. */
export function validateFile(file: File, { types, minMb, maxMb, typeMessage, minMessage, maxMessage }: FileRules): Verdict {
  const allowed = !types?.length || types.some((type) => (type.endsWith('/*') ? file.type.startsWith(type.slice(0, -1)) : file.type === type))
  if (!allowed) return { valid: false, message: typeMessage ?? '不支持的文件类型', type: 'type' }
  if (minMb !== undefined && file.size < minMb * MB) return { valid: false, message: minMessage ?? `文件大小不能小于${minMb}MB`, type: 'minSize' }
  if (maxMb !== undefined && file.size > maxMb * MB) return { valid: false, message: maxMessage ?? `文件大小不能超过${maxMb}MB`, type: 'maxSize' }
  return { valid: true, message: '文件验证通过', type: 'success' }
}

export const IMAGE_SEARCH_RULES: FileRules = { types: ['image/*'], maxMb: 2, typeMessage: '请上传图片文件', maxMessage: '图片大小不能超过2MB' }

export interface UploadOptions {
  url?: string
  field?: string
  extra?: Readonly<Record<string, string>>
  rules?: FileRules
  loading?: boolean
}

export interface UploadedFile {
  FileId: string
  Name: string
  Size: number
  Url: string
}

const DEFAULT_URL = '/api/File/Execute'

/** Sends one file; null when the rules refuse it (the reason is shown). Raises ApiError when the server does. */
export async function upload<T = UploadedFile>(file: File, { url = DEFAULT_URL, field = 'file', extra = {}, rules, loading = true }: UploadOptions = {}): Promise<T | null> {
  const verdict = rules ? validateFile(file, rules) : null
  if (verdict && !verdict.valid) {
    reportError(verdict.message)
    return null
  }
  const form = new FormData()
  form.append(field, file)
  for (const [name, value] of Object.entries(extra)) form.append(name, value)
  // The default endpoint wants the field `path`, and wants it null.
  if (url === DEFAULT_URL) form.append('path', 'null')
  try {
    return (await unwrap(await send({ method: 'POST', url, body: form, loading }))) as T
  } catch (error) {
    showError(error)
    throw error
  }
}
