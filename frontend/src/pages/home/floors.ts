import type { MenuGroup } from '@/domain/catalog/categories'

/** The maximum number of floors. Nobody scrolls further. */
export const MAX_FLOORS = 6
/** The floors of a customer with purchases. The other groups are links. */
export const MAX_PURCHASED_FLOORS = 4

/** `index` is the position in the menu, from 0. It chooses the icon. */
export type PlacedGroup = MenuGroup & { index: number }

/**
 * The groups with a floor, and the others. `purchased` are first-level categories, the largest share
 * of the customer's orders first: their groups come first, each with its most purchased category
 * first. Groups in the order of the menu fill up.
 */
export function floorsFor(
  groups: readonly MenuGroup[],
  purchased: readonly string[],
): { floors: PlacedGroup[]; others: PlacedGroup[] } {
  const getRank = (id: string): number => {
    const index = purchased.indexOf(id)
    return index < 0 ? purchased.length : index
  }
  const sorted = groups
    .map(({ name, roots }, index) => ({
      name,
      index,
      roots: roots.toSorted(
        (one, other) => getRank(one.C1.CategoryId) - getRank(other.C1.CategoryId),
      ),
    }))
    .toSorted(
      (one, other) =>
        getRank(one.roots[0]?.C1.CategoryId ?? '') - getRank(other.roots[0]?.C1.CategoryId ?? ''),
    )
  const count = purchased.length ? MAX_PURCHASED_FLOORS : MAX_FLOORS
  return { floors: sorted.slice(0, count), others: sorted.slice(count) }
}
