import { queryOptions, type QueryClient } from '@tanstack/react-query'
import { call } from '@/api/call'
import type { CategoryTree } from '@/api/schema'
import { currentCatalogue, onCatalogueChange } from '@/api/transport'
import { session } from '@/lib/session'
import { readFresh, remove, writeFor } from '@/lib/storage'

const HALF_AN_HOUR = 30 * 60_000
const cacheKey = (uid: string | null): string => `categories:${uid ?? 'public'}`

interface CachedTree {
  version: string | null
  tree: CategoryTree[]
}

async function fetchCategories(uid: string | null, signal: AbortSignal): Promise<CategoryTree[]> {
  const cached = readFresh<CachedTree>(cacheKey(uid))
  if (cached) return cached.tree
  const path = uid ? '/api/Category/GetCustomerCategories' : '/api/Category/MallCategories'
  const tree = await call('post', path, { signal, quiet: true })
  writeFor(cacheKey(uid), { version: currentCatalogue(), tree } satisfies CachedTree, HALF_AN_HOUR)
  return tree
}

/**
 * The category tree of this person's assortment, or the public one for a visitor. Cached per person
 * for half an hour.
 */
export const categories = (uid: string | null) =>
  queryOptions({
    queryKey: ['categories', uid],
    queryFn: ({ signal }) => fetchCategories(uid, signal),
    staleTime: HALF_AN_HOUR,
  })

const present = (): string | null => session.get()?.User.uid ?? null

/** Clear the cache at sign-out and when an answer has a new catalogue version. */
export function watchCatalogue(client: QueryClient): void {
  let uid = present()
  session.subscribe(() => {
    if (uid !== null && uid !== present()) remove('local', cacheKey(uid))
    uid = present()
  })
  onCatalogueChange((version) => {
    const key = cacheKey(present())
    const cached = readFresh<CachedTree>(key)
    if (!cached || cached.version === version) return
    remove('local', key)
    void client.invalidateQueries({ queryKey: ['categories'] })
  })
}

export interface MenuGroup {
  name: string
  /** The first-level categories of the group, in the server's order. */
  roots: CategoryTree[]
}

/** Return the groups of the category menu: at most 11 for a signed-in person, 15 for a visitor. */
export function buildMenuGroups(tree: readonly CategoryTree[], isLoggedIn: boolean): MenuGroup[] {
  const groups = new Map<string, CategoryTree[]>()
  for (const root of tree) {
    const name = root.C1.CategoryGroup || root.C1.Name
    groups.set(name, [...(groups.get(name) ?? []), root])
  }
  return [...groups].slice(0, isLoggedIn ? 11 : 15).map(([name, roots]) => ({ name, roots }))
}
