import type { Body } from '@/api/call'
import type { QuickOrder } from '@/api/schema'
import { read, remove, write } from '@/lib/storage'
import { appendAnswer, noteLine, type Line } from './model'

type RequestLine = NonNullable<Body<'/api/Product/QuickOrder'>['Lines']>[number]

/**
 * A line that is not sent to the server again: it has no order content, or it was merged into the
 * line at index `Into`.
 */
interface UnsentLine {
  Text: string
  Reason: string
  Into: number | null
}

export type DraftLine = RequestLine | UnsentLine

/**
 * The saved state of unfinished work on this machine. It holds only the request, because prices and
 * stock can change.
 */
export interface Draft {
  rows: readonly { code: string; quantity: string }[]
  pasted: string
  lines: readonly DraftLine[]
}

const MAX_QUANTITY = 999_999
const getKey = (uid: string): string => `quickOrder.${uid}`
const isUnsent = (line: DraftLine): line is UnsentLine => 'Reason' in line

/**
 * Builds the request of a line: a chosen product by its code, other lines by the text that the
 * server read. If the quantity was not readable, the original text is sent again.
 */
function buildRequestLine({
  Text,
  Code,
  Product,
  Status,
  Unit,
  Search,
  Remark,
  ...line
}: Line): RequestLine {
  const written = Product ? line.Quantity : line.Asked
  const Quantity = written !== null && written <= MAX_QUANTITY ? written : null
  if (Text && Quantity === null && Status === 'problem') return { Text }
  if (Product) return { Text, Code: Product.ProductCode, Quantity, Remark }
  return {
    Text,
    Code: (Code || Text).slice(0, 200),
    Quantity,
    Unit: Unit.slice(0, 20),
    Search,
    Remark,
  }
}

/**
 * Saves every line with its original text. Merged and skipped lines are restored without a request.
 */
export function listDraftLines(lines: readonly Line[]): DraftLine[] {
  const places = new Map(lines.map(({ id }, place) => [id, place]))
  return lines.map((line) => {
    if (line.Status !== 'merged' && line.Status !== 'skipped') return buildRequestLine(line)
    return {
      Text: line.Text,
      Reason: line.Reason,
      Into: line.mergedInto === null ? null : (places.get(line.mergedInto) ?? null),
    }
  })
}

export const listRequestLines = (kept: readonly DraftLine[]): RequestLine[] =>
  kept.filter((line) => !isUnsent(line))

/** Merges the saved lines with the answers of the server, in the saved order. */
export function restoreLines(kept: readonly DraftLine[], answer: QuickOrder): Line[] {
  const answered = new Map<number, Line[]>()
  for (const line of appendAnswer([], answer))
    answered.set(line.No, [...(answered.get(line.No) ?? []), line])
  let number = 0
  const groups = kept.map((line, place) => {
    if (isUnsent(line)) return [noteLine(place + 1, line.Text, line.Reason)]
    number += 1
    return (answered.get(number) ?? []).map((found) => ({ ...found, No: place + 1 }))
  })
  return groups.flatMap((group, place) => {
    const line = kept[place]
    if (!line || !isUnsent(line) || line.Into === null) return group
    const into = groups[line.Into]?.[0]
    return group.map((merged) => ({
      ...merged,
      Status: 'merged' as const,
      mergedInto: into ? (into.mergedInto ?? into.id) : null,
    }))
  })
}

export function saveDraft(uid: string, draft: Draft): void {
  const isEmpty =
    !draft.lines.length &&
    !draft.pasted.trim() &&
    !draft.rows.some(({ code, quantity }) => code || quantity)
  if (isEmpty) remove('local', getKey(uid))
  else write('local', getKey(uid), draft)
}

export const readDraft = (uid: string): Draft | null => read<Draft>('local', getKey(uid))
