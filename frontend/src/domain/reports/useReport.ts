import { useQuery } from '@tanstack/react-query'
import { report, type ReportName, type ReportPage } from './api'
import { getFigures, toQuery, type ReportFilters } from './filters'

export const firstPage = (filters: ReportFilters): ReportFilters => ({
  ...getFigures(filters),
  PageIndex: 1,
  PageSize: filters.PageSize,
})

/**
 * The figures with their charts and the first page in one call; another page, or another order, is
 * a call for the rows alone.
 */
export function useReport(name: ReportName, filters: ReportFilters) {
  const isFirst = filters.PageIndex === 1 && !filters.Sort
  const head = useQuery(report(name, toQuery(firstPage(filters), true)))
  const turned = useQuery({ ...report(name, toQuery(filters, false)), enabled: !isFirst })
  const rows = isFirst ? head : turned
  const page: ReportPage | undefined = rows.data
  return {
    head: head.data,
    page,
    error: head.error ?? turned.error,
    isStale: head.isPlaceholderData || rows.isPlaceholderData,
    retry: () => void (head.error ? head : rows).refetch(),
  }
}
