import { formatDate } from '@/lib/time'

/** This month and the 23 before it, as 2026-11. */
export function monthsUpTo(now: Date): { value: string; label: string }[] {
  const [year = 0, month = 0] = formatDate(now.toISOString()).split('-').map(Number)
  return Array.from({ length: 24 }, (_, back) => {
    const at = year * 12 + (month - 1) - back
    const shown = { year: Math.floor(at / 12), month: (at % 12) + 1 }
    return {
      value: `${shown.year}-${String(shown.month).padStart(2, '0')}`,
      label: `${shown.year}年${shown.month}月`,
    }
  })
}

/** "2026-11" → "2026年11月". */
export const monthText = (month: string): string => month.replace(/^(\d+)-0?(\d+)$/, '$1年$2月')
