import { queryOptions, type QueryClient } from '@tanstack/react-query'
import { call } from '@/api/call'
import type { CategoryTree } from '@/api/schema'
import { onCatalogueChange } from '@/api/transport'
import { session } from '@/lib/session'
import { readFresh, remove, writeFor } from '@/lib/storage'

const HALF_AN_HOUR = 30 * 60_000
const keptAs = (uid: string | null): string => `categories:${uid ?? 'public'}`

async function fetchCategories(uid: string | null, signal: AbortSignal): Promise<CategoryTree[]> {
  const kept = readFresh<CategoryTree[]>(keptAs(uid))
  if (kept) return kept
  const path = uid ? '/api/Category/GetCustomerCategories' : '/api/Category/MallCategories'
  const tree = await call('post', path, { signal, quiet: true })
  writeFor(keptAs(uid), tree, HALF_AN_HOUR)
  return tree
}

/** The category tree this person may buy from; the public one for a visitor. Kept half an hour per person. */
export const categories = (uid: string | null) =>
  queryOptions({ queryKey: ['categories', uid], queryFn: ({ signal }) => fetchCategories(uid, signal), staleTime: HALF_AN_HOUR })

/** Drops what is kept as soon as an answer tells that the catalogue has changed. */
export function watchCatalogue(client: QueryClient): void {
  onCatalogueChange(() => {
    remove('local', keptAs(session.get()?.User.uid ?? null))
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
