import { queryOptions } from '@tanstack/react-query'
import { call, type Answer, type Body } from '@/api/call'
import { useWrite } from '@/api/useWrite'
import { search } from '@/lib/paths'
import type { ReportName } from './api'
import { figuresOf, readFilters, type ReportFilters } from './filters'

export type SavedView = Answer<'/api/SavedView'>['Items'][number]
type ViewBody = Body<'/api/SavedView'>
type ViewFilters = ViewBody['Filters']
type Kept = Record<string, string | readonly string[]>

/** The person's own views of a report and those shared with him, by name: a page holds all that are told apart by eye. */
export const savedViews = (name: ReportName) =>
  queryOptions({ queryKey: ['savedViews', name], staleTime: 60_000, queryFn: async ({ signal }) => (await call('get', '/api/SavedView', { query: { Report: name, PageSize: 100 }, signal, quiet: true })).Items })

export const useSaveView = () => useWrite(['savedViews'], (body: ViewBody) => call('post', '/api/SavedView', { body, quiet: true }))
export const useChangeView = () => useWrite(['savedViews'], ({ Id, ...body }: { Id: string; Name?: string; Shared?: boolean; Filters?: ViewFilters }) => call('patch', '/api/SavedView/{Id}', { path: { Id }, body, quiet: true }))
export const useDeleteView = () => useWrite(['savedViews'], (Id: string) => call('delete', '/api/SavedView/{Id}', { path: { Id } }))

/** What a view keeps of the page: all that makes the figures, the order of the rows and the columns. */
export function keptOf(filters: ReportFilters): ViewFilters {
  const { Sort, Hide } = filters
  const kept = { ...figuresOf(filters), ...(Sort ? { Sort } : {}), ...(Hide ? { Hide } : {}) }
  return Object.fromEntries(Object.entries(kept).filter(([, value]) => value !== undefined)) as ViewFilters
}

/** A view as an address, its first page: the filters alone, in the order in which the page writes them. */
export const addressOf = (kept: object): string => search(keptOf(readFilters(new URLSearchParams(search(kept as Kept)))))

/** The view that the page shows just now, if it is one. */
export function shownOf(views: readonly SavedView[], filters: ReportFilters): SavedView | undefined {
  const now = addressOf(keptOf(filters))
  return views.find(({ Filters }) => addressOf(Filters) === now)
}
