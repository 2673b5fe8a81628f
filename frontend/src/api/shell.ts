/**
 * The page's services for API calls. The application registers itself at start
 * (`app/ShellDialogs.tsx`).
 */

export interface BlockInfo {
  Ip: string
  CurrentTime: string
  Target: string
  Guid: string
}

export interface Shell {
  error: (message: string) => void
  /**
   * Open the dialog 系统提示 to sign in again. Its first message stays while it is open, because it
   * gives the reason.
   */
  promptLogin: (message: string) => void
  /** Show 安全验证. Resolves true once this client is unlocked, false if the person cancels. */
  unlock: (info: BlockInfo) => Promise<boolean>
  busy: (isOn: boolean) => void
}

/** Calls start before the page is mounted. A prompt that comes so early waits for it. */
let early: string | undefined

const silent: Shell = {
  error: () => undefined,
  promptLogin: (message) => {
    early ??= message
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
let isShown = false
let opening: ReturnType<typeof setTimeout> | undefined
let closing: ReturnType<typeof setTimeout> | undefined

function show(isOn: boolean): void {
  isShown = isOn
  current.busy(isOn)
}

/**
 * Open the overlay after 200 ms, so that short calls do not flash, and close it 300 ms after the
 * last call. Returns the function that ends this call.
 */
export function occupy(): () => void {
  running += 1
  clearTimeout(closing)
  if (running === 1 && !isShown) opening = setTimeout(() => show(true), 200)
  return () => {
    running -= 1
    if (running > 0) return
    clearTimeout(opening)
    if (isShown) closing = setTimeout(() => show(false), 300)
  }
}
