import type { Body } from '@/api/call'
import type { UploadedFile } from '@/api/upload'
import type { OrderRow } from './orders'

export type Line = OrderRow['Lines'][number]
type ReceiptBody = Body<'/api/Order/{OrderNo}/Receive'>

/** The receipt of a line: pieces that arrived, and how many of them are missing or damaged. */
export interface Arrival {
  quantity: number
  short: number
  damaged: number
  note: string
  files: UploadedFile[]
}

export type Arrivals = Readonly<Record<string, Arrival>>

export const comingOf = (line: Line): number => line.ShippedQuantity - line.ReceivedQuantity

export const firstArrivals = (lines: readonly Line[]): Arrivals =>
  Object.fromEntries(
    lines.map((line) => [
      line.Id,
      { quantity: comingOf(line), short: 0, damaged: 0, note: '', files: [] },
    ]),
  )

/**
 * Missing and damaged pieces never exceed the arrived ones: the last change wins, the other value
 * is reduced.
 */
export function changeArrival(before: Arrival, change: Partial<Arrival>): Arrival {
  const now = { ...before, ...change }
  if (change.damaged !== undefined)
    return { ...now, short: Math.min(now.short, now.quantity - now.damaged) }
  const short = Math.min(now.short, now.quantity)
  return { ...now, short, damaged: Math.min(now.damaged, now.quantity - short) }
}

/** The receipt as a request body, without lines of which nothing arrived. */
export function getReceipt(lines: readonly Line[], arrivals: Arrivals): ReceiptBody {
  const came = lines.flatMap(({ Id }) => (arrivals[Id]?.quantity ? [{ Id, ...arrivals[Id] }] : []))
  const Claims = came.flatMap(({ Id, short, damaged, note, files }) => [
    ...(short
      ? [{ Id, Quantity: short, Kind: 'short' as const, Note: note.trim(), FileIds: [] }]
      : []),
    ...(damaged
      ? [
          {
            Id,
            Quantity: damaged,
            Kind: 'damaged' as const,
            Note: note.trim(),
            FileIds: files.map(({ FileId }) => FileId),
          },
        ]
      : []),
  ])
  return {
    Lines: came.map(({ Id, quantity }) => ({ Id, Quantity: quantity })),
    ...(Claims.length ? { Claims } : {}),
  }
}
