import { KINDS } from '@/domain/dimensions/dimensions'
import { fromFen, toFen, yuan } from '@/lib/money'
import type { OrderDetail } from './orders'

type Part = OrderDetail['Allocations'][number]

/** "CC-1 行政", or with the amounts if there are several: "CC-1 行政 ¥6.00、CC-2 研发 ¥4.00". */
const getText = (parts: readonly Part[]): string => {
  const sums = new Map<string, number>()
  for (const { Code, Name, Amount } of parts) {
    const name = `${Code} ${Name}`
    sums.set(name, (sums.get(name) ?? 0) + toFen(Amount))
  }
  return [...sums]
    .map(([name, fen]) => (sums.size > 1 ? `${name} ${yuan(fromFen(fen))}` : name))
    .join('、')
}

/** The dimensions of the whole order, with freight: [成本中心, "CC-1 行政 …"] by kind. */
export const orderAllocations = (parts: readonly Part[]): [string, string][] =>
  KINDS.flatMap(({ value, label }): [string, string][] => {
    const own = parts.filter(({ Kind }) => Kind === value)
    return own.length ? [[label, getText(own)]] : []
  })

/** The split of one line, in one text. '' if the line is on one dimension of each kind. */
export const lineAllocations = (parts: readonly Part[], lineId: string): string =>
  KINDS.flatMap(({ value, label }) => {
    const own = parts.filter(({ Kind, LineId }) => Kind === value && LineId === lineId)
    return own.length > 1 ? [`${label} ${getText(own)}`] : []
  }).join('；')
