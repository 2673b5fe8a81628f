import type { ReportPage } from './api'

/**
 * Return which rows the printed page contains, if it does not contain all. Its totals cover all
 * rows.
 */
export function describePage({
  Items,
  Total,
  PageIndex,
  PageSize,
}: Pick<ReportPage, 'Items' | 'Total' | 'PageIndex' | 'PageSize'>): string | null {
  if (Items.length === 0 || Items.length === Total) return null
  const before = (PageIndex - 1) * PageSize
  return `本页为第 ${(before + 1).toLocaleString('en-US')}–${(before + Items.length).toLocaleString('en-US')} 行，共 ${Total.toLocaleString('en-US')} 行；合计为全部行`
}
