import type { SavedQuery, SavedProduct, Kind } from '@/domain/catalog/savedProducts'
import { BROWSED } from '@/domain/catalog/products'
import { formatDate } from '@/lib/time'
import { readPage } from '@/lib/useFilters'

export interface SavedFilters {
  Keyword?: string | undefined
  Cid?: string | undefined
  /** '' all, 'dropped' cheaper than when saved, 'stock' available now. */
  View: string
  PageIndex: number
  PageSize: number
}

export const readFilters = (params: URLSearchParams): SavedFilters => ({
  Keyword: params.get('Keyword') || undefined,
  Cid: /^\d{1,18}$/.test(params.get('Cid') ?? '') ? (params.get('Cid') ?? undefined) : undefined,
  View: params.get('View') ?? '',
  ...readPage(params),
})

/** There are at most a hundred browse records, so one page is enough. */
export const toQuery = (
  kind: Kind,
  { View, Keyword, Cid, PageIndex, PageSize }: SavedFilters,
): SavedQuery => ({
  Type: kind,
  Keyword,
  Cid,
  Dropped: View === 'dropped' ? '1' : undefined,
  InStock: View === 'stock' ? '1' : undefined,
  PageIndex: kind === BROWSED ? 1 : PageIndex,
  PageSize: kind === BROWSED ? 100 : PageSize,
})

const WEEKDAYS = '日一二三四五六'

/** Formats as 今天, 昨天 or 2026-11-20 星期五, in Shanghai time. */
export function dayTitle(day: string, now: Date = new Date()): string {
  const daysAgo = (count: number): string =>
    formatDate(new Date(now.getTime() - count * 86_400_000).toISOString())
  const word = day === daysAgo(0) ? '今天' : day === daysAgo(1) ? '昨天' : ''
  const weekday = `星期${WEEKDAYS[new Date(`${day}T12:00:00Z`).getUTCDay()] ?? ''}`
  return word ? `${word}（${day} ${weekday}）` : `${day} ${weekday}`
}

/** Groups the rows by the day of saving, in their given order. */
export function byDay(rows: readonly SavedProduct[]): [string, SavedProduct[]][] {
  const days = new Map<string, SavedProduct[]>()
  for (const row of rows) {
    const day = formatDate(row.CreatedAt)
    days.set(day, [...(days.get(day) ?? []), row])
  }
  return [...days]
}
