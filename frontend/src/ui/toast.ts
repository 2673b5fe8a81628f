import { isNews } from '@/lib/news'

/** Short messages over the page that disappear by themselves: `toast.success('添加购物车成功')`. */
export type ToastKind = 'success' | 'error' | 'warning' | 'info'

export interface ToastMessage {
  id: number
  kind: ToastKind
  text: string
}

let messages: readonly ToastMessage[] = []
let next = 1
const listeners = new Set<() => void>()

function set(now: readonly ToastMessage[]): void {
  messages = now
  for (const listener of listeners) listener()
}

export const toasts = {
  get: (): readonly ToastMessage[] => messages,
  subscribe: (listener: () => void): (() => void) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  },
}

function show(kind: ToastKind, text: string): void {
  const id = next++
  set([...messages.slice(-3), { id, kind, text }])
  setTimeout(
    () => set(messages.filter((message) => message.id !== id)),
    kind === 'success' ? 2500 : 4000,
  )
}

/** Show an error without the check for repeats. */
export const showError = (text: string): void => show('error', text)

export const toast = {
  success: (text: string): void => show('success', text),
  /** The same words within 3 seconds are shown once. */
  error: (text: string): void => {
    if (isNews(text)) show('error', text)
  },
  /** Remove a message that is no longer true. */
  forget: (text: string): void => set(messages.filter((message) => message.text !== text)),
  warning: (text: string): void => show('warning', text),
  info: (text: string): void => show('info', text),
}
