import { queryOptions, type QueryClient } from '@tanstack/react-query'
import { call } from '@/api/call'
import type { CategoryTree } from '@/api/schema'
import { currentCatalogue, onCatalogueChange } from '@/api/transport'
import { session } from '@/lib/session'
import { readFresh, remove, writeFor } from '@/lib/storage'

const HALF_AN_HOUR = 30 * 60_000
const keptAs = (uid: string | null): string => `categories:${uid ?? 'public'}`

interface Kept {
  version: string | null
  tree: CategoryTree[]
}

async function fetchCategories(uid: string | null, signal: AbortSignal): Promise<CategoryTree[]> {
  const kept = readFresh<Kept>(keptAs(uid))
  if (kept) return kept.tree
  const path = uid ? '/api/Category/GetCustomerCategories' : '/api/Category/MallCategories'
  const tree = await call('post', path, { signal, quiet: true })
  writeFor(keptAs(uid), { version: currentCatalogue(), tree } satisfies Kept, HALF_AN_HOUR)
  return tree
}

/** The category tree this person may buy from; the public one for a visitor. Kept half an hour per person. */
export const categories = (uid: string | null) =>
  queryOptions({ queryKey: ['categories', uid], queryFn: ({ signal }) => fetchCategories(uid, signal), staleTime: HALF_AN_HOUR })

const present = (): string | null => session.get()?.User.uid ?? null

/** Drops what is kept when its person signs out, and as soon as an answer tells another version of the catalogue. */
export function watchCatalogue(client: QueryClient): void {
  let uid = present()
  session.subscribe(() => {
    if (uid !== null && uid !== present()) remove('local', keptAs(uid))
    uid = present()
  })
  onCatalogueChange((version) => {
    const key = keptAs(present())
    const kept = readFresh<Kept>(key)
    if (!kept || kept.version === version) return
    remove('local', key)
    void client.invalidateQueries({ queryKey: ['categories'] })
  })
}

export interface MenuGroup {
  name: string
  /** The first-level categories of the group, in the server's order. */
  roots: CategoryTree[]
}

/** The tree in the groups of the menu: at most 11 for those who are logged in, 15 for visitors. */
export function menuGroups(tree: readonly CategoryTree[], loggedIn: boolean): MenuGroup[] {
  const groups = new Map<string, CategoryTree[]>()
  for (const root of tree) {
    const name = root.C1.CategoryGroup || root.C1.Name
    groups.set(name, [...(groups.get(name) ?? []), root])
  }
  return [...groups].slice(0, loggedIn ? 11 : 15).map(([name, roots]) => ({ name, roots }))
}
