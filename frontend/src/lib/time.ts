/**
 * Times are ISO 8601 with an offset in the API, and are shown in Asia/Shanghai for every reader.
 */

const ZONE = 'Asia/Shanghai'
const full = new Intl.DateTimeFormat('zh-CN', {
  timeZone: ZONE,
  year: 'numeric',
  month: '2-digit',
  day: '2-digit',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  hourCycle: 'h23',
})

function parts(iso: string): Record<string, string> | null {
  const date = new Date(iso)
  if (Number.isNaN(date.getTime())) return null
  return Object.fromEntries(full.formatToParts(date).map(({ type, value }) => [type, value]))
}

/** 2026-03-05 */
export function formatDate(iso: string | null | undefined): string {
  const at = iso ? parts(iso) : null
  return at ? `${at.year}-${at.month}-${at.day}` : '—'
}

/** 2026-03-05 14:07 */
export function formatTime(iso: string | null | undefined): string {
  const at = iso ? parts(iso) : null
  return at ? `${at.year}-${at.month}-${at.day} ${at.hour}:${at.minute}` : '—'
}

/** The date some days from now, by the calendar in Shanghai: 3月7日 */
export function inDays(days: number, now: Date = new Date()): string {
  const at = parts(new Date(now.getTime() + days * 86_400_000).toISOString())
  return `${Number(at?.month)}月${Number(at?.day)}日`
}

/** 上午好, by the clock in Shanghai. */
export function greeting(now: Date = new Date()): string {
  const hour = Number(parts(now.toISOString())?.hour ?? 9)
  if (hour < 5) return '夜深了'
  if (hour < 12) return '上午好'
  return hour < 18 ? '下午好' : '晚上好'
}

/** The same moment three calendar months ago, in milliseconds. */
export function threeMonthsAgo(now: Date = new Date()): number {
  const then = new Date(now)
  then.setMonth(then.getMonth() - 3)
  return then.getTime()
}
