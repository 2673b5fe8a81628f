const [WAN, YI] = [10_000, 100_000_000]
/** From here a tenth of 万 says nothing any more. */
const MANY_WAN = 1000 * WAN

/** 12,000 → 1.2万, 32,257,700 → 3,226万, 123,456,789 → 1.23亿: where there is no room for cents. */
export function short(value: number): string {
  const size = Math.abs(value)
  if (size >= YI) return `${Number((value / YI).toFixed(2))}亿`
  if (size >= MANY_WAN) return `${Math.round(value / WAN).toLocaleString('en-US')}万`
  return size >= WAN ? `${Number((value / WAN).toFixed(1))}万` : value.toLocaleString('en-US')
}
