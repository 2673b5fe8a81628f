import { useCallback, useState } from 'react'
import { read, write } from '@/lib/storage'

/** A state that survives navigation and reload, per user and tab. */
export function useTabState<T>(uid: string, name: string, initial: T): [T, (value: T) => void] {
  const key = `select:${name}:${uid}`
  const [value, setValue] = useState<T>(() => read<T>('session', key) ?? initial)
  const store = useCallback(
    (next: T) => {
      setValue(next)
      write('session', key, next)
    },
    [key],
  )
  return [value, store]
}
