import { useSyncExternalStore } from 'react'
import { session } from '@/lib/session'
import { read, write } from '@/lib/storage'
import { toast } from '@/ui/toast'

/** The data of a product in the tray. */
export interface Picked {
  ProductCode: string
  CustomerProductName: string
  Brand: string | null
  ImageUrl?: string | null
}

export const MAX_COMPARED = 4
export const FULL = `最多对比 ${MAX_COMPARED} 件商品，请先移除一件`

// Stored per person, because product names can be specific to the customer.
const getKey = (): string => `compare-${session.get()?.User.uid ?? ''}`

let key = ''
let picked: readonly Picked[] = []
const listeners = new Set<() => void>()

function current(): readonly Picked[] {
  if (key !== getKey()) {
    key = getKey()
    picked = read<Picked[]>('session', key) ?? []
  }
  return picked
}

function store(next: readonly Picked[]): void {
  picked = next
  write('session', key, next)
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  const leave = session.subscribe(listener)
  listeners.add(listener)
  return () => {
    leave()
    listeners.delete(listener)
  }
}

export const compare = {
  toggle: ({ ProductCode, CustomerProductName, Brand, ImageUrl }: Picked): void => {
    const without = current().filter((one) => one.ProductCode !== ProductCode)
    if (without.length < current().length) return store(without)
    if (without.length >= MAX_COMPARED) return toast.warning(FULL)
    store([...without, { ProductCode, CustomerProductName, Brand, ImageUrl: ImageUrl ?? '' }])
  },
  drop: (code: string): void => store(current().filter(({ ProductCode }) => ProductCode !== code)),
  clear: (): void => store([]),
}

/** The products selected for comparison in this browser tab. */
export const useCompared = (): readonly Picked[] => useSyncExternalStore(subscribe, current)
