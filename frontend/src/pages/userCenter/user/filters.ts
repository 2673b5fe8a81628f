import type { KeptQuery, KeptRow, Kind } from '@/domain/catalog/kept'
import { BROWSED } from '@/domain/catalog/products'
import { formatDate } from '@/lib/time'
import { readPage } from '@/lib/useFilters'

export interface KeptFilters {
  Keyword?: string | undefined
  Cid?: string | undefined
  /** '' all, 'dropped' cheaper than then, 'stock' what can be bought now. */
  View: string
  PageIndex: number
  PageSize: number
}

export const readFilters = (params: URLSearchParams): KeptFilters => ({
  Keyword: params.get('Keyword') || undefined,
  Cid: /^\d{1,18}$/.test(params.get('Cid') ?? '') ? (params.get('Cid') ?? undefined) : undefined,
  View: params.get('View') ?? '',
  ...readPage(params),
})

/** Browse records are never more than a hundred: one page. */
export const toQuery = (kind: Kind, { View, Keyword, Cid, PageIndex, PageSize }: KeptFilters): KeptQuery => ({
  Type: kind,
  Keyword,
  Cid,
  Dropped: View === 'dropped' ? '1' : undefined,
  InStock: View === 'stock' ? '1' : undefined,
  PageIndex: kind === BROWSED ? 1 : PageIndex,
  PageSize: kind === BROWSED ? 100 : PageSize,
})

const WEEKDAYS = '日一二三四五六'

/** 今天 · 昨天 · 2026-11-20 星期五, by the calendar in Shanghai. */
export function dayTitle(day: string, now: Date = new Date()): string {
  const daysAgo = (count: number): string => formatDate(new Date(now.getTime() - count * 86_400_000).toISOString())
  const word = day === daysAgo(0) ? '今天' : day === daysAgo(1) ? '昨天' : ''
  const weekday = `星期${WEEKDAYS[new Date(`${day}T12:00:00Z`).getUTCDay()] ?? ''}`
  return word ? `${word}（${day} ${weekday}）` : `${day} ${weekday}`
}

/** The rows by the day on which they were kept, in the order in which they come. */
export function byDay(rows: readonly KeptRow[]): [string, KeptRow[]][] {
  const days = new Map<string, KeptRow[]>()
  for (const row of rows) {
    const day = formatDate(row.CreatedAt)
    days.set(day, [...(days.get(day) ?? []), row])
  }
  return [...days]
}
