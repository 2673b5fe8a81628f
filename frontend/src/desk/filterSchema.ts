import { readPage } from '@/lib/useFilters'

/** The filters of a list: the values in its address, all text, and the page. */
export type ListFilters<K extends string> = Partial<Record<K, string>> & {
  PageIndex: number
  PageSize: number
}

/**
 * The filters of a list, defined once by the names of their query parameters. `size` is the usual
 * number of rows on a page.
 */
export function filterSchema<const K extends string>(names: readonly K[], size?: number) {
  const pick = (get: (name: K) => string | undefined) =>
    Object.fromEntries(names.map((name) => [name, get(name)])) as Partial<Record<K, string>>
  return {
    /** Read the filters from an address. An empty value counts as none. */
    read: (params: URLSearchParams): ListFilters<K> => ({
      ...pick((name) => params.get(name) || undefined),
      ...readPage(params, undefined, size),
    }),
    /** Return the filters without the page, for an export. */
    withoutPage: (filters: ListFilters<K>) => pick((name) => filters[name]),
    isNarrowed: (filters: ListFilters<K>): boolean =>
      names.some((name) => filters[name] !== undefined),
  }
}

/** Send filters as a query. They are text from the address; the server parses and checks them. */
export const asQuery = <Q>(filters: object): Q => filters as Q
