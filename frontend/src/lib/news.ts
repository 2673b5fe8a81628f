const WINDOW = 3000
const LIMIT = 100
const seen = new Map<string, number>()

setInterval(() => {
  const now = Date.now()
  for (const [message, at] of seen) if (now - at >= WINDOW) seen.delete(message)
}, 10_000)

/**
 * True if this error text was not shown in the last 3 seconds; marks it as shown (spec, sections 8
 * and 9).
 */
export function isNews(message: string): boolean {
  const now = Date.now()
  const last = seen.get(message)
  if (last !== undefined && now - last < WINDOW) return false
  seen.delete(message)
  seen.set(message, now)
  if (seen.size > LIMIT) {
    const oldest = seen.keys().next().value
    if (oldest !== undefined) seen.delete(oldest)
  }
  return true
}

export function forgetErrors(): void {
  seen.clear()
}
