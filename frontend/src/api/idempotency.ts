/**
 * One key per intent: the same body to the same address keeps its key until it has succeeded (a double click, a retry after a lost
 * answer), another body gets another key.
 */
const open = new Map<string, { body: string; key: string }>()

function newKey(): string {
  if (typeof crypto.randomUUID === 'function') return crypto.randomUUID()
  // Plain http on a host name other than localhost has no randomUUID.
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('')
}

export function keyFor(url: string, body: string): string {
  const kept = open.get(url)
  if (kept?.body === body) return kept.key
  const key = newKey()
  open.set(url, { body, key })
  return key
}

/** The intent is done: the next call is a new one, even with the same body. */
export function settleKey(url: string, key: string): void {
  if (open.get(url)?.key === key) open.delete(url)
}
