import { useCallback, useMemo } from 'react'
import { useSearchParams } from 'react-router-dom'
import { search } from '@/lib/paths'

type Plain = Record<string, string | number | boolean | readonly string[] | null | undefined>

/**
 * The filters of a screen, stored in its address. A change of a filter returns to page 1; a change
 * of the page keeps the filters.
 */
export function useFilters<T extends object>(
  read: (params: URLSearchParams) => T,
): [T, (change: Partial<T>) => void] {
  const [params, setParams] = useSearchParams()
  const filters = useMemo(() => read(params), [read, params])
  const change = useCallback(
    (changed: Partial<T>) =>
      setParams((now) => {
        const changesOnlyPage = Object.keys(changed).every(
          (key) => key === 'PageIndex' || key === 'PageSize',
        )
        const next: Plain = {
          ...(read(now) as Plain),
          ...(changesOnlyPage ? {} : { PageIndex: undefined }),
          ...(changed as Plain),
        }
        // Default values are left out of the address.
        const { PageSize: usual } = read(new URLSearchParams()) as Plain
        return search({
          ...next,
          PageIndex: next.PageIndex === 1 ? undefined : next.PageIndex,
          PageSize: next.PageSize === usual ? undefined : next.PageSize,
        })
      }),
    [read, setParams],
  )
  return [filters, change]
}

const SIZES: readonly number[] = [10, 20, 50, 100, 1000]
const SIZE = 20
/** The server's maximum page size for visitors. */
const VISITOR_SIZE = 100

/** The page sizes to choose from. */
export const pageSizes = (isSignedIn: boolean): readonly number[] =>
  isSignedIn ? SIZES : SIZES.filter((size) => size <= VISITOR_SIZE)

/** PageIndex and PageSize of a URL. Missing or invalid values become the defaults 1 and `usual`. */
export function readPage(
  params: URLSearchParams,
  sizes = SIZES,
  usual = SIZE,
): { PageIndex: number; PageSize: number } {
  const index = Number(params.get('PageIndex'))
  const size = Number(params.get('PageSize'))
  return {
    PageIndex: Number.isInteger(index) && index >= 1 ? index : 1,
    PageSize: sizes.includes(size) ? size : usual,
  }
}
