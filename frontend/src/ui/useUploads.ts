import { useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { isApiError, MESSAGES, reportError } from '@/api/errors'
import { upload, validateFile, type UploadedFile, type UploadOptions } from '@/api/upload'

/** A running or failed upload. Finished uploads are in the caller's value. */
export interface Sending {
  id: number
  file: File
  percent: number
  /** The error; empty while the upload runs. */
  failed: string
}

export type UploadSettings = Pick<UploadOptions, 'url' | 'field' | 'extra' | 'rules'> & {
  value: readonly UploadedFile[]
  onChange: (files: UploadedFile[]) => void
  max: number
}

let next = 1

let running = 0
const listeners = new Set<() => void>()

const countRunning = (change: 1 | -1): void => {
  running += change
  listeners.forEach((listener) => listener())
}

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/**
 * Whether an upload runs on this page. The buttons that send a form with files wait for it, because
 * the form would be sent without the file.
 */
export const useIsUploading = (): boolean => useSyncExternalStore(subscribe, () => running > 0)

/** Upload added files one by one, with progress, cancel and retry. */
export function useUploads({ value, onChange, max, rules, ...where }: UploadSettings) {
  const [sending, setSending] = useState<readonly Sending[]>([])
  const controllers = useRef(new Map<number, AbortController>())
  const latest = useRef({ value, onChange })
  useEffect(() => {
    latest.current = { value, onChange }
  })
  // Leaving the page cancels the uploads.
  useEffect(() => () => controllers.current.forEach((controller) => controller.abort()), [])

  const patch = (id: number, change: Partial<Sending>): void =>
    setSending((all) => all.map((one) => (one.id === id ? { ...one, ...change } : one)))
  const drop = (id: number): void => {
    controllers.current.delete(id)
    setSending((all) => all.filter((one) => one.id !== id))
  }
  const run = async ({ id, file }: Pick<Sending, 'id' | 'file'>): Promise<void> => {
    const controller = new AbortController()
    controllers.current.set(id, controller)
    countRunning(1)
    try {
      const uploaded = await upload(file, {
        ...where,
        signal: controller.signal,
        loading: false,
        quiet: true,
        onProgress: (percent) => patch(id, { percent }),
      })
      drop(id)
      if (uploaded) {
        latest.current = { ...latest.current, value: [...latest.current.value, uploaded] }
        latest.current.onChange([...latest.current.value])
      }
    } catch (error) {
      patch(id, { failed: isApiError(error) ? error.message : MESSAGES.failed })
    } finally {
      countRunning(-1)
    }
  }
  return {
    sending,
    add: (files: readonly File[]): void => {
      const room = max - value.length - sending.length
      if (files.length > room) reportError(`最多上传 ${max} 个文件`)
      const accepted = files.slice(0, Math.max(0, room)).flatMap((file) => {
        const verdict = validateFile(file, rules ?? {})
        if (!verdict.valid) reportError(verdict.message)
        return verdict.valid ? [{ id: next++, file, percent: 0, failed: '' }] : []
      })
      setSending((all) => [...all, ...accepted])
      for (const one of accepted) void run(one)
    },
    cancel: (id: number): void => {
      controllers.current.get(id)?.abort()
      drop(id)
    },
    again: (one: Sending): void => {
      patch(one.id, { failed: '', percent: 0 })
      void run(one)
    },
    remove: (FileId: string): void => onChange(value.filter((file) => file.FileId !== FileId)),
  }
}
