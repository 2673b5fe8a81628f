import type { QuickLine, QuickOrder, QuickProduct } from '@/api/schema'
import { compareMoney, sum, times, type Money } from '@/lib/money'
import { legalQuantity } from '@/ui/quantity'

/** A line on the screen: what the server read, numbered on over everything that was put in, and changed in place. */
export interface Line extends Omit<QuickLine, 'MergedInto' | 'Notices'> {
  id: number
  /** The line that has this one's quantity too. */
  mergedInto: number | null
  notices: readonly string[]
}

export type Status = Line['Status']

export const STATUS_TEXT: Readonly<Record<Status, string>> = { ready: '可下单', choose: '需选择', problem: '有问题', merged: '已合并', skipped: '未计入' }

let next = 1

const ruleOf = ({ MinQuantity: min, StepQuantity: step }: QuickProduct) => ({ min, step })

/** The line with this product in this quantity: legal, and with the reason where it cannot be had. */
export function settled(line: Line, product: QuickProduct, asked: number): Line {
  const rule = ruleOf(product)
  const Quantity = legalQuantity(asked, rule)
  const most = legalQuantity(product.Stock, { ...rule, max: product.Stock })
  const left = product.Stock >= product.MinQuantity ? most : null
  const off = product.IsOnSale ? null : { Code: 'off_sale', Message: '已下架', Suggestion: '请更换其他商品', SuggestedQuantity: null }
  const short = Quantity <= product.Stock ? null : { Code: 'stock_short', Message: `库存不足，仅剩 ${product.Stock} ${product.Unit}`, Suggestion: left ? '请减少数量或更换商品' : '请更换商品或到货后再购买', SuggestedQuantity: left }
  const Problem = off ?? short
  const raised = Quantity > asked ? [`${asked < rule.min ? `${rule.min} ${product.Unit}起订` : `按 ${rule.step} ${product.Unit}递增`}，数量由 ${asked} 调整为 ${Quantity}`] : []
  return { ...line, Status: Problem ? 'problem' : 'ready', Product: product, Quantity, Problem, Amount: Problem ? null : times(product.CustomerPrice, Quantity), notices: raised, Candidates: [] }
}

/** A line whose quantity could not be read has nothing to give: it stays with its reason until it is mended. */
const orders = (line: Line): boolean => line.Product !== null && line.Quantity !== null && line.mergedInto === null

/** Every product once: a later line of the same product gives its quantity to the first one. */
function merged(lines: readonly Line[]): Line[] {
  const first = new Map<string, number>()
  const kept = [...lines]
  kept.forEach((line, index) => {
    const code = orders(line) ? line.Product?.ProductCode : undefined
    if (code === undefined) return
    const at = first.get(code)
    const into = at === undefined ? undefined : kept[at]
    if (at === undefined || !into?.Product) {
      first.set(code, index)
      return
    }
    const total = settled(into, into.Product, (into.Quantity ?? 0) + (line.Quantity ?? 0))
    kept[at] = { ...total, notices: [...into.notices, ...total.notices] }
    kept[index] = { ...line, Status: 'merged', mergedInto: into.id, Amount: null, Problem: null }
    // What had been merged into the second follows it.
    kept.forEach((other, place) => {
      if (other.mergedInto === line.id) kept[place] = { ...other, mergedInto: into.id }
    })
  })
  return kept
}

/** The lines with those of an answer after them. */
export function appended(lines: readonly Line[], answer: QuickOrder): Line[] {
  const offset = lines.reduce((most, { No }) => Math.max(most, No), 0)
  const ids = new Map<number, number>()
  const added = answer.Lines.map(({ MergedInto: _into, Notices, ...line }): Line => {
    const id = next++
    if (line.Status !== 'merged' && !ids.has(line.No)) ids.set(line.No, id)
    return { ...line, id, No: line.No + offset, mergedInto: null, notices: Notices.filter(({ Code }) => Code !== 'merged').map(({ Message }) => Message) }
  })
  answer.Lines.forEach(({ MergedInto }, index) => {
    const line = added[index]
    if (line && MergedInto !== null) line.mergedInto = ids.get(MergedInto) ?? null
  })
  return merged([...lines, ...added])
}

/** The line `id` now stands for this product. */
export const chosen = (lines: readonly Line[], id: number, product: QuickProduct): Line[] =>
  merged(lines.map((line) => (line.id === id ? settled(line, product, line.Quantity ?? product.MinQuantity) : line)))

export const requantified = (lines: readonly Line[], id: number, quantity: number): Line[] =>
  merged(lines.map((line) => (line.id === id && line.Product ? settled(line, line.Product, quantity) : line)))

/** Without the line, and without those that were merged into it. */
export const without = (lines: readonly Line[], ids: ReadonlySet<number>): Line[] => lines.filter(({ id, mergedInto }) => !ids.has(id) && (mergedInto === null || !ids.has(mergedInto)))

export interface Totals {
  counts: Readonly<Record<Status, number>>
  pieces: number
  amount: Money
}

export function totalsOf(lines: readonly Line[]): Totals {
  const counts: Record<Status, number> = { ready: 0, choose: 0, problem: 0, merged: 0, skipped: 0 }
  for (const { Status } of lines) counts[Status] += 1
  const ready = lines.filter(({ Status }) => Status === 'ready')
  return { counts, pieces: ready.reduce((total, { Quantity }) => total + (Quantity ?? 0), 0), amount: sum(ready.map(({ Amount }) => Amount ?? '0.00')) }
}

/** Which lines were merged into this one, by their numbers. */
export function mergedNumbers(lines: readonly Line[]): ReadonlyMap<number, number[]> {
  const found = new Map<number, number[]>()
  for (const { mergedInto, No } of lines) if (mergedInto !== null) found.set(mergedInto, [...(found.get(mergedInto) ?? []), No])
  return found
}

export const reasonOf = (line: Line): string => {
  if (line.Status === 'choose') return line.notices.length && line.Candidates.length === 1 ? '请确认商品和数量' : '没有完全一致的商品，请从候选中选择'
  return line.Problem ? [line.Problem.Message, line.Problem.Suggestion].filter(Boolean).join('，') : line.Reason
}

export const cheaper = (product: QuickProduct): boolean => compareMoney(product.CustomerPrice, product.MallPrice) < 0
