import { useCallback, useMemo } from 'react'
import { useSearchParams } from 'react-router-dom'
import { search } from '@/lib/paths'

type Plain = Record<string, string | number | boolean | readonly string[] | null | undefined>

/** The screen's filters live in its address. A change of a filter goes back to page 1; a change of the page alone keeps the filters. */
export function useFilters<T extends object>(read: (params: URLSearchParams) => T): [T, (change: Partial<T>) => void] {
  const [params, setParams] = useSearchParams()
  const filters = useMemo(() => read(params), [read, params])
  const change = useCallback(
    (changed: Partial<T>) =>
      setParams((now) => {
        const onlyPage = Object.keys(changed).every((key) => key === 'PageIndex' || key === 'PageSize')
        const next: Plain = { ...(read(now) as Plain), ...(onlyPage ? {} : { PageIndex: undefined }), ...(changed as Plain) }
        // What is so by itself is not in the address.
        return search({ ...next, PageIndex: next.PageIndex === 1 ? undefined : next.PageIndex, PageSize: next.PageSize === SIZE ? undefined : next.PageSize })
      }),
    [read, setParams],
  )
  return [filters, change]
}

const SIZES = [10, 20, 50, 100, 1000]
const SIZE = 20

/** PageIndex and PageSize of an address, with the spec's defaults 1 and 20; nonsense becomes the default. */
export function readPage(params: URLSearchParams): { PageIndex: number; PageSize: number } {
  const index = Number(params.get('PageIndex'))
  const size = Number(params.get('PageSize'))
  return { PageIndex: Number.isInteger(index) && index >= 1 ? index : 1, PageSize: SIZES.includes(size) ? size : SIZE }
}
