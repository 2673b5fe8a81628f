import type { QuickLine, QuickOrder, QuickProduct } from '@/api/schema'
import { priceAt } from '@/domain/catalog/products'
import { subtractInFen, sum, times, type Money } from '@/lib/money'
import { legalQuantity, quantityRefusal } from '@/ui/quantity'

/**
 * A line on the screen: the data of the server, numbered over all inputs. It is changed in place.
 */
export interface Line extends Omit<QuickLine, 'MergedInto' | 'Notices'> {
  id: number
  /** The line into which this one was merged. */
  mergedInto: number | null
  notices: readonly string[]
  /** What the entered part numbers of other brands stand for (型号对照). It stays with the line. */
  references: readonly string[]
}

export type Status = Line['Status']

export const STATUS_TEXT: Readonly<Record<Status, string>> = {
  ready: '可下单',
  choose: '需选择',
  problem: '有问题',
  merged: '已合并',
  skipped: '未计入',
}

let next = 1

const ruleOf = ({ MinQuantity: min, StepQuantity: step }: QuickProduct) => ({ min, step })

/** The price of a unit at this quantity (阶梯价). */
export const unitPrice = (product: QuickProduct, quantity: number) =>
  priceAt(product.Tiers, product.CustomerPrice, quantity)

/**
 * Returns the line with this product in a permitted quantity, and with the reason if it cannot be
 * bought.
 */
export function settleLine(line: Line, product: QuickProduct, asked: number): Line {
  const rule = ruleOf(product)
  const Quantity = legalQuantity(asked, rule)
  const maxOrderable = legalQuantity(product.Stock, { ...rule, max: product.Stock })
  const left = product.Stock >= product.MinQuantity ? maxOrderable : null
  const off = product.IsOnSale
    ? null
    : { Code: 'off_sale', Message: '已下架', Suggestion: '请更换其他商品', SuggestedQuantity: null }
  const short =
    Quantity <= product.Stock
      ? null
      : {
          Code: 'stock_short',
          Message: `库存不足，仅剩 ${product.Stock} ${product.Unit}`,
          Suggestion: left ? '请减少数量或更换商品' : '请更换商品或到货后再购买',
          SuggestedQuantity: left,
        }
  const Problem = off ?? short
  const raised =
    Quantity > asked
      ? [
          `${quantityRefusal(asked, rule, { unit: product.Unit })}，数量由 ${asked} 调整为 ${Quantity}`,
        ]
      : []
  return {
    ...line,
    Status: Problem ? 'problem' : 'ready',
    Product: product,
    Quantity,
    Problem,
    Amount: Problem ? null : times(unitPrice(product, Quantity), Quantity),
    notices: raised,
    Candidates: [],
  }
}

/**
 * A line without a readable quantity is not merged. It keeps its reason until the user corrects it.
 */
const isOrdered = (line: Line): boolean =>
  line.Product !== null && line.Quantity !== null && line.mergedInto === null

/** Merges lines of the same product: a later line adds its quantity to the first one. */
function mergeLines(lines: readonly Line[]): Line[] {
  const first = new Map<string, number>()
  const result = [...lines]
  result.forEach((line, index) => {
    const code = isOrdered(line) ? line.Product?.ProductCode : undefined
    if (code === undefined) return
    const at = first.get(code)
    const into = at === undefined ? undefined : result[at]
    if (at === undefined || !into?.Product) {
      first.set(code, index)
      return
    }
    const total = settleLine(into, into.Product, (into.Quantity ?? 0) + (line.Quantity ?? 0))
    result[at] = { ...total, notices: [...into.notices, ...total.notices] }
    result[index] = { ...line, Status: 'merged', mergedInto: into.id, Amount: null, Problem: null }
    // Lines that were merged into the second line now point to the first.
    result.forEach((other, place) => {
      if (other.mergedInto === line.id) result[place] = { ...other, mergedInto: into.id }
    })
  })
  return result
}

/** A line without order content: only the entered text and the reason why it is skipped. */
export const noteLine = (No: number, Text: string, Reason: string): Line => ({
  id: next++,
  No,
  Text,
  Reason,
  Code: '',
  Status: 'skipped',
  Unit: '',
  Search: '',
  Remark: '',
  Asked: null,
  Quantity: null,
  Amount: null,
  mergedInto: null,
  notices: [],
  references: [],
  Problem: null,
  Product: null,
  Candidates: [],
})

/** Appends the lines of an answer. */
export function appendAnswer(lines: readonly Line[], answer: QuickOrder): Line[] {
  const ids = new Map<number, number>()
  const added = answer.Lines.map(({ MergedInto: _into, Notices, ...line }): Line => {
    const id = next++
    if (line.Status !== 'merged' && !ids.has(line.No)) ids.set(line.No, id)
    return {
      ...line,
      id,
      mergedInto: null,
      notices: Notices.filter(({ Code }) => Code !== 'merged' && Code !== 'reference').map(
        ({ Message }) => Message,
      ),
      references: Notices.filter(({ Code }) => Code === 'reference').map(({ Message }) => Message),
    }
  })
  answer.Lines.forEach(({ MergedInto }, index) => {
    const line = added[index]
    if (line && MergedInto !== null) line.mergedInto = ids.get(MergedInto) ?? null
  })
  return appendLines(lines, added)
}

/** Appends lines and continues the numbering. */
export function appendLines(lines: readonly Line[], added: readonly Line[]): Line[] {
  const offset = lines.reduce((maxOrderable, { No }) => Math.max(maxOrderable, No), 0)
  return mergeLines([...lines, ...added.map((line) => ({ ...line, No: line.No + offset }))])
}

/** Sets the product of the line `id`, and its quantity if it is not that of the line. */
export const chooseProduct = (
  lines: readonly Line[],
  id: number,
  product: QuickProduct,
  quantity?: number,
): Line[] =>
  mergeLines(
    lines.map((line) =>
      line.id === id
        ? settleLine(line, product, quantity ?? line.Quantity ?? product.MinQuantity)
        : line,
    ),
  )

export const requantified = (lines: readonly Line[], id: number, quantity: number): Line[] =>
  mergeLines(
    lines.map((line) =>
      line.id === id && line.Product ? settleLine(line, line.Product, quantity) : line,
    ),
  )

/** Removes the line and the lines that were merged into it. */
export const without = (lines: readonly Line[], ids: ReadonlySet<number>): Line[] =>
  lines.filter(
    ({ id, mergedInto }) => !ids.has(id) && (mergedInto === null || !ids.has(mergedInto)),
  )

export interface Totals {
  counts: Readonly<Record<Status, number>>
  pieces: number
  amount: Money
}

export function totalsOf(lines: readonly Line[]): Totals {
  const counts: Record<Status, number> = { ready: 0, choose: 0, problem: 0, merged: 0, skipped: 0 }
  for (const { Status } of lines) counts[Status] += 1
  const ready = lines.filter(({ Status }) => Status === 'ready')
  return {
    counts,
    pieces: ready.reduce((total, { Quantity }) => total + (Quantity ?? 0), 0),
    amount: sum(ready.map(({ Amount }) => Amount ?? '0.00')),
  }
}

/** The numbers of the lines that were merged into this one. */
export function mergedNumbers(lines: readonly Line[]): ReadonlyMap<number, number[]> {
  const found = new Map<number, number[]>()
  for (const { mergedInto, No } of lines)
    if (mergedInto !== null) found.set(mergedInto, [...(found.get(mergedInto) ?? []), No])
  return found
}

/** A line that is short or off sale, so that a substitute or a reminder may help. */
export const isShort = (line: Line): boolean =>
  line.Product !== null &&
  line.mergedInto === null &&
  (line.Problem?.Code === 'stock_short' || line.Problem?.Code === 'off_sale')

export const reasonOf = (line: Line): string => {
  if (line.Status === 'choose')
    return (line.notices.length || line.references.length) && line.Candidates.length === 1
      ? '请确认商品和数量'
      : '没有完全一致的商品，请从候选中选择'
  return line.Problem
    ? [line.Problem.Message, line.Problem.Suggestion].filter(Boolean).join('，')
    : line.Reason
}

export const cheaper = (product: QuickProduct): boolean =>
  subtractInFen(product.CustomerPrice, product.MallPrice) < 0
