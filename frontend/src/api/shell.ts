/** What the calls ask of the page around them; the application plugs itself in at start (`app/shell.tsx`). */

export interface BlockInfo {
  Ip: string
  CurrentTime: string
  Target: string
  Guid: string
}

export interface Shell {
  error: (message: string) => void
  /** Asks to sign in again: the dialog 系统提示. */
  promptLogin: (message: string) => void
  /** Shows 安全验证 and resolves true once this client is unlocked, false when the person gives up. */
  unlock: (info: BlockInfo) => Promise<boolean>
  busy: (on: boolean) => void
}

/** A screen's own calls begin before the page around them is there: the prompt that comes so early waits for it. */
let early: string | undefined

const silent: Shell = {
  error: () => undefined,
  promptLogin: (message) => {
    early = message
  },
  unlock: () => Promise.resolve(false),
  busy: () => undefined,
}

let current: Shell = silent

export const shell = (): Shell => current

export function plugShell(parts: Partial<Shell>): void {
  current = { ...silent, ...parts }
  const waited = early
  early = undefined
  if (waited) current.promptLogin(waited)
}

let running = 0
let shown = false
let opening: ReturnType<typeof setTimeout> | undefined
let closing: ReturnType<typeof setTimeout> | undefined

function show(on: boolean): void {
  shown = on
  current.busy(on)
}

/** The overlay opens once calls have run for 200 ms, so that a quick one does not flash, and closes 300 ms after the last; the caller calls back when done. */
export function occupy(): () => void {
  running += 1
  clearTimeout(closing)
  if (running === 1 && !shown) opening = setTimeout(() => show(true), 200)
  return () => {
    running -= 1
    if (running > 0) return
    clearTimeout(opening)
    if (shown) closing = setTimeout(() => show(false), 300)
  }
}
