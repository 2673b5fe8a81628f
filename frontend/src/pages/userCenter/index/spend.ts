import type { Workbench } from '@/domain/orders/workbench'
import { sum, toFen } from '@/lib/money'

export type Spend = NonNullable<Workbench['Spend']>
export type Month = Spend['Months'][number]

/** "2026-11-01" → 2026 年 11 月. */
export const monthText = ({ Month: day }: Month): string =>
  `${day.slice(0, 4)} 年 ${Number(day.slice(5, 7))} 月`

export const shortMonth = ({ Month: day }: Month): string => `${Number(day.slice(5, 7))} 月`

export interface Change {
  text: string
  tone: 'more' | 'less' | 'same'
}

/**
 * This month so far against the same days of the previous month, in percent with one decimal. No
 * figure if nothing was bought then.
 */
export function changeOf({ Months, Before }: Spend): Change | null {
  const now = toFen(Months.at(-1)?.Amount ?? '0')
  const before = toFen(Before)
  if (before === 0) return null
  const permille = Math.round(((now - before) / before) * 1000)
  if (permille === 0) return { text: '持平', tone: 'same' }
  return {
    text: `${permille > 0 ? '增加' : '减少'} ${Math.abs(permille) / 10}%`,
    tone: permille > 0 ? 'more' : 'less',
  }
}

export const totalOf = ({ Months }: Spend): string => sum(Months.map(({ Amount }) => Amount))

/** The ratio of each month to the highest one, 0 to 1. */
export function heights({ Months }: Spend): number[] {
  const highest = Math.max(...Months.map(({ Amount }) => toFen(Amount)), 1)
  return Months.map(({ Amount }) => Math.max(0, toFen(Amount)) / highest)
}
