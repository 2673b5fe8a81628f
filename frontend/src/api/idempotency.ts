/**
 * One key per intent: the same body to the same address keeps its key until it succeeds (a double
 * click, a retry after a lost
 * answer), another body gets another key.
 */
const open = new Map<string, { body: string; key: string }>()

function newKey(): string {
  if (typeof crypto.randomUUID === 'function') return crypto.randomUUID()
  // randomUUID is missing on plain http, except on localhost.
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('')
}

export function keyFor(url: string, body: string): string {
  const openEntry = open.get(url)
  if (openEntry?.body === body) return openEntry.key
  const key = newKey()
  open.set(url, { body, key })
  return key
}

/** Forget the key after success: the next call is a new intent, even with the same body. */
export function settleKey(url: string, key: string): void {
  if (open.get(url)?.key === key) open.delete(url)
}
