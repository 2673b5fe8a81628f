/**
 * Money is text with two decimals ("12.50") in the API. Calculations use integer 分, so sums are
 * exact.
 */

export type Money = string

/** A price that the person's role does not show (null) counts as 0. */
export function toFen(money: Money | null): number {
  const match = /^(-?)(\d+)(?:\.(\d{1,2}))?$/.exec(money?.trim() ?? '')
  if (!match) return 0
  const fen = Number(match[2]) * 100 + Number((match[3] ?? '').padEnd(2, '0'))
  return match[1] ? -fen : fen
}

export function fromFen(fen: number): Money {
  const whole = Math.abs(Math.round(fen))
  return `${fen < 0 ? '-' : ''}${Math.floor(whole / 100)}.${String(whole % 100).padStart(2, '0')}`
}

/** "1234567.5" → "1,234,567.50". */
export function formatMoney(money: Money): string {
  const text = fromFen(toFen(money))
  const [whole = '0', cents = '00'] = text.split('.')
  return `${whole.replace(/\B(?=(\d{3})+(?!\d))/g, ',')}.${cents}`
}

/** "1234.5" → "¥1,234.50". A price that the person's role does not show (null) is "—". */
export const yuan = (money: Money | null): string => {
  if (money === null) return '—'
  const text = formatMoney(money)
  return text.startsWith('-') ? `-¥${text.slice(1)}` : `¥${text}`
}

export const times = (money: Money | null, quantity: number): Money =>
  fromFen(toFen(money) * quantity)

export const sum = (amounts: readonly Money[]): Money =>
  fromFen(amounts.reduce((total, money) => total + toFen(money), 0))

/** The difference `one` − `other` in 分, negative if `one` is smaller. */
export const subtractInFen = (one: Money | null, other: Money | null): number =>
  toFen(one) - toFen(other)
