const MINUTE = 60_000

/** 2 小时 5 分: how long something has lasted; under a minute 不到 1 分钟. */
export function elapsed(since: string, now: number = Date.now()): string {
  const minutes = Math.floor((now - new Date(since).getTime()) / MINUTE)
  if (minutes < 1) return '不到 1 分钟'
  const [days, hours, rest] = [
    Math.floor(minutes / 1440),
    Math.floor((minutes % 1440) / 60),
    minutes % 60,
  ]
  if (days) return hours ? `${days} 天 ${hours} 小时` : `${days} 天`
  if (hours) return rest ? `${hours} 小时 ${rest} 分` : `${hours} 小时`
  return `${rest} 分钟`
}
