import { read, remove, write } from '@/lib/storage'

/**
 * The values of labelled fields per page, restored by a reload after a failed load. They are in
 * memory while the person types and
 * in sessionStorage only after a failed load. Passwords, codes and files are never stored.
 */

const KEY = 'drafts'
const GOOD_FOR = 30 * 60_000
type Typed = Record<string, string>

interface Draft {
  path: string
  owner: string
  at: number
  fields: Typed
}

type Control = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement
const TEXTS = new Set(['text', 'tel', 'email', 'url', 'number', 'search'])

let typed: { path: string; fields: Typed } = { path: '', fields: {} }

function isControl(target: EventTarget | null): target is Control {
  if (target instanceof HTMLInputElement)
    return TEXTS.has(target.type) && target.autocomplete !== 'one-time-code'
  return target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement
}

/**
 * The label and its index among fields with the same label; null for a field without one (a search
 * box, a quantity).
 */
function getName(control: Control): string | null {
  const label = control.labels?.[0]?.textContent.trim()
  if (!label) return null
  const same = [...document.querySelectorAll<Control>('input, textarea, select')].filter(
    (other) => other.labels?.[0]?.textContent.trim() === label,
  )
  return `${label}#${same.indexOf(control)}`
}

function note(event: Event): void {
  if (!isControl(event.target)) return
  const name = getName(event.target)
  if (name === null) return
  const path = window.location.pathname
  if (typed.path !== path) typed = { path, fields: {} }
  typed.fields[name] = event.target.value
}

/** Start to record the values. */
export function watchTyping(): () => void {
  document.addEventListener('input', note, true)
  return () => document.removeEventListener('input', note, true)
}

/** Store the values after a failed load, so that they survive a reload. */
export function saveDrafts(owner: string): void {
  if (Object.keys(typed.fields).length)
    write('session', KEY, { ...typed, owner, at: Date.now() } satisfies Draft)
}

/** True if a reload would restore a value. */
export const hasDrafts = (): boolean =>
  Object.keys(typed.fields).length > 0 || read('session', KEY) !== null

/** Set the value as typing does: React learns of it through the event. */
function fill(control: Control, value: string): void {
  const kind =
    control instanceof HTMLSelectElement
      ? HTMLSelectElement
      : control instanceof HTMLTextAreaElement
        ? HTMLTextAreaElement
        : HTMLInputElement
  Object.getOwnPropertyDescriptor(kind.prototype, 'value')?.set?.call(control, value)
  control.dispatchEvent(
    new Event(control instanceof HTMLSelectElement ? 'change' : 'input', { bubbles: true }),
  )
}

/**
 * Restore the values of this page and person as the fields appear. Calls back once after the first.
 */
export function restoreDrafts(owner: string, onRestored: () => void): () => void {
  const draft = read<Draft>('session', KEY)
  if (!draft) return () => undefined
  if (draft.owner !== owner || Date.now() - draft.at > GOOD_FOR) {
    remove('session', KEY)
    return () => undefined
  }
  const waiting = new Map(Object.entries(draft.fields))
  let hasReported = false
  const look = (): void => {
    if (window.location.pathname !== draft.path) return
    for (const control of document.querySelectorAll<Control>('input, textarea, select')) {
      const name = isControl(control) ? getName(control) : null
      const value = name === null ? undefined : waiting.get(name)
      if (name === null || value === undefined) continue
      waiting.delete(name)
      if (control.value === value) continue
      fill(control, value)
      if (!hasReported) onRestored()
      hasReported = true
    }
    if (waiting.size) return
    observer.disconnect()
    remove('session', KEY)
  }
  const observer = new MutationObserver(look)
  observer.observe(document.body, { childList: true, subtree: true })
  look()
  return () => observer.disconnect()
}
