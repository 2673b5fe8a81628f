import { queryOptions } from '@tanstack/react-query'
import { call, type Answer, type Body } from '@/api/call'
import { useWrite } from '@/api/useWrite'
import { search } from '@/lib/paths'
import type { ReportName } from './api'
import { getFigures, readFilters, type ReportFilters } from './filters'

export type SavedView = Answer<'/api/SavedView'>['Items'][number]
type ViewBody = Body<'/api/SavedView'>
type ViewFilters = ViewBody['Filters']
type StoredFilters = Record<string, string | readonly string[]>

/**
 * The query of the person's own and shared views of a report, by name. One page contains more
 * views than a person can distinguish.
 */
export const savedViews = (name: ReportName) =>
  queryOptions({
    queryKey: ['savedViews', name],
    staleTime: 60_000,
    queryFn: async ({ signal }) =>
      (
        await call('get', '/api/SavedView', {
          query: { Report: name, PageSize: 100 },
          signal,
          quiet: true,
        })
      ).Items,
  })

export const useSaveView = () =>
  useWrite(['savedViews'], (body: ViewBody) =>
    call('post', '/api/SavedView', { body, quiet: true }),
  )
export const useChangeView = () =>
  useWrite(
    ['savedViews'],
    ({ Id, ...body }: { Id: string; Name?: string; Shared?: boolean; Filters?: ViewFilters }) =>
      call('patch', '/api/SavedView/{Id}', { path: { Id }, body, quiet: true }),
  )
export const useDeleteView = () =>
  useWrite(['savedViews'], (Id: string) => call('delete', '/api/SavedView/{Id}', { path: { Id } }))

/** Return the filters, the order of rows and the columns that a view saves. */
export function pickViewFilters(filters: ReportFilters): ViewFilters {
  const { Sort, Hide } = filters
  const savedParams = {
    ...getFigures(filters),
    ...(Sort ? { Sort } : {}),
    ...(Hide ? { Hide } : {}),
  }
  return Object.fromEntries(
    Object.entries(savedParams).filter(([, value]) => value !== undefined),
  ) as ViewFilters
}

/**
 * A view as an address, its first page: the filters alone, in the order in which the page writes
 * them.
 */
export const getAddress = (savedParams: object): string =>
  search(pickViewFilters(readFilters(new URLSearchParams(search(savedParams as StoredFilters)))))

/** The view that the page shows just now, if it is one. */
export function findShownView(
  views: readonly SavedView[],
  filters: ReportFilters,
): SavedView | undefined {
  const now = getAddress(pickViewFilters(filters))
  return views.find(({ Filters }) => getAddress(Filters) === now)
}
