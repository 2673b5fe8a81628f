import type { MenuGroup } from '@/domain/catalog/categories'

/** More floors than these make a page that nobody scrolls to its end. */
export const MOST_FLOORS = 6
/** The floors of a customer with purchases. The other groups are links. */
export const MOST_BOUGHT = 4

/** `place` is the place in the menu, from 0, which chooses the icon. */
export type PlacedGroup = MenuGroup & { place: number }

/**
 * The groups with a floor, and the others. `purchased` are first-level categories, the largest share
 * of the customer's orders first: their groups come first, each with its most purchased category
 * first. Groups in the order of the menu fill up.
 */
export function floorsFor(
  groups: readonly MenuGroup[],
  purchased: readonly string[],
): { floors: PlacedGroup[]; others: PlacedGroup[] } {
  const placeOf = (id: string): number => {
    const place = purchased.indexOf(id)
    return place < 0 ? purchased.length : place
  }
  const sorted = groups
    .map(({ name, roots }, place) => ({
      name,
      place,
      roots: roots.toSorted(
        (one, other) => placeOf(one.C1.CategoryId) - placeOf(other.C1.CategoryId),
      ),
    }))
    .toSorted(
      (one, other) =>
        placeOf(one.roots[0]?.C1.CategoryId ?? '') - placeOf(other.roots[0]?.C1.CategoryId ?? ''),
    )
  const count = purchased.length ? MOST_BOUGHT : MOST_FLOORS
  return { floors: sorted.slice(0, count), others: sorted.slice(count) }
}
