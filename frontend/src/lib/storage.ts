/** localStorage and sessionStorage that never throw: a browser may forbid both. */

type Kind = 'local' | 'session'

const area = (kind: Kind): Storage | null => {
  try {
    return kind === 'local' ? window.localStorage : window.sessionStorage
  } catch {
    return null
  }
}

export function read<T>(kind: Kind, key: string): T | null {
  try {
    const text = area(kind)?.getItem(key)
    return text ? (JSON.parse(text) as T) : null
  } catch {
    return null
  }
}

export function write(kind: Kind, key: string, value: unknown): void {
  try {
    area(kind)?.setItem(key, JSON.stringify(value))
  } catch {
    // The storage is full or forbidden: the value is not stored.
  }
}

export function remove(kind: Kind, key: string): void {
  try {
    area(kind)?.removeItem(key)
  } catch {
    // Forbidden: there was nothing to remove.
  }
}

export function clearAll(kind: Kind): void {
  try {
    area(kind)?.clear()
  } catch {
    // Forbidden: there was nothing to clear.
  }
}

/** Store a value for `milliseconds`. Later reads return null. */
export function writeFor(key: string, value: unknown, milliseconds: number): void {
  write('local', key, { value, until: Date.now() + milliseconds })
}

export function readFresh<T>(key: string): T | null {
  const stored = read<{ value: T; until: number }>('local', key)
  if (!stored || stored.until <= Date.now()) return null
  return stored.value
}
