import type { FormInstance } from 'antd'
import { isApiError } from '@/api/errors'

/** Show a refusal at the fields of an antd form that it names. False if it names none. */
export function showFieldErrors<T>(form: FormInstance<T>, error: unknown): boolean {
  const fields = isApiError(error) ? Object.entries(error.fields) : []
  form.setFields(fields.map(([name, errors]) => ({ name: name as never, errors: [...errors] })))
  return fields.length > 0
}

/** Show a refusal at one field of an antd form: its own message, or that of the whole request. */
export function showErrorAt<T>(form: FormInstance<T>, name: keyof T & string, error: Error): void {
  const own = isApiError(error) ? error.fields[name] : undefined
  form.setFields([{ name: name as never, errors: [...(own ?? [error.message])] }])
}
