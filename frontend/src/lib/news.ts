const WINDOW = 3000
const LIMIT = 100
const shownAt = new Map<string, number>()

setInterval(() => {
  const now = Date.now()
  for (const [message, at] of shownAt) if (now - at >= WINDOW) shownAt.delete(message)
}, 10_000)

/**
 * True if this error text was not shown in the last 3 seconds; marks it as shown (spec, sections 8
 * and 9).
 */
export function isNews(message: string): boolean {
  const now = Date.now()
  const last = shownAt.get(message)
  if (last !== undefined && now - last < WINDOW) return false
  shownAt.delete(message)
  shownAt.set(message, now)
  if (shownAt.size > LIMIT) {
    const oldest = shownAt.keys().next().value
    if (oldest !== undefined) shownAt.delete(oldest)
  }
  return true
}

export function forgetErrors(): void {
  shownAt.clear()
}
