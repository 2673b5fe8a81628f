import { paths } from '@/lib/paths'
import type { ReportHead } from './api'
import { figuresOf, type ReportFilters } from './filters'

type Narrowing = Partial<ReportFilters>

/** The lines behind a bar or a cell: the same filters and what was clicked. The period is written out, so that the lines stay those of the figure. */
export function linesOf(filters: ReportFilters, head: Pick<ReportHead, 'From' | 'To'>, narrowing: Narrowing): string {
  const period = { Period: 'custom', From: head.From, To: head.To }
  return paths.report('OrderDetail', { ...figuresOf(filters), ...period, ...narrowing })
}
