import { paths } from '@/lib/paths'
import type { ReportHead } from './api'
import { getFigures, type ReportFilters } from './filters'

type Narrowing = Partial<ReportFilters>

/**
 * Return the address of the order lines that a figure sums: the report's filters plus `narrowing`,
 * which describes the clicked bar or cell. The period has fixed dates, so that the address shows
 * the same lines on a later day.
 */
export function getLines(
  filters: ReportFilters,
  head: Pick<ReportHead, 'From' | 'To'>,
  narrowing: Narrowing,
): string {
  const period = { Period: 'custom', From: head.From, To: head.To }
  return paths.report('OrderDetail', { ...getFigures(filters), ...period, ...narrowing })
}
