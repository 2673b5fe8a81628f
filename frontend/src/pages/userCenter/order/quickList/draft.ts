import { useState } from 'react'
import type { QuickList, QuickListLine } from '@/domain/cart/quickLists'

export interface LineEdit {
  Quantity?: number
  Remark?: string
  isRemoved?: boolean
}

/** Unsaved edits by product, and the version of the list at the first of them. */
export interface Draft {
  version: number
  edits: Readonly<Record<string, LineEdit>>
}

export interface EditedLine extends QuickListLine {
  /** The quantity differs from the saved one, so the server's amount does not apply. */
  isQuantityChanged: boolean
}

/** The lines as they would be saved. Edits of lines that are no longer in the list do not count. */
export const applyEdits = (lines: readonly QuickListLine[], edits: Draft['edits']): EditedLine[] =>
  lines
    .filter(({ ProductCode }) => !edits[ProductCode]?.isRemoved)
    .map((line) => {
      const { Quantity = line.Quantity, Remark = line.Remark } = edits[line.ProductCode] ?? {}
      return { ...line, Quantity, Remark, isQuantityChanged: Quantity !== line.Quantity }
    })

/** The lines with `keyword` in the name, a code, the brand or the remark. */
export const findLines = (lines: readonly EditedLine[], keyword: string): readonly EditedLine[] => {
  const word = keyword.trim().toLowerCase()
  return lines.filter((line) =>
    [line.CustomerProductName, line.ProductCode, line.CustomerCode, line.Brand, line.Remark].some(
      (text) => text.toLowerCase().includes(word),
    ),
  )
}

/** The lines of a list with the person's unsaved edits. */
export function useListDraft(list: QuickList) {
  const [draft, setDraft] = useState<Draft | null>(null)
  return {
    lines: applyEdits(list.Items, draft?.edits ?? {}),
    hasEdits: draft !== null,
    /** The version to send: the one that the person saw at the first edit. */
    version: draft?.version ?? list.Version,
    isStale: draft !== null && draft.version !== list.Version,
    edit: (code: string, change: LineEdit) =>
      setDraft((before) => ({
        version: before?.version ?? list.Version,
        edits: { ...before?.edits, [code]: { ...before?.edits[code], ...change } },
      })),
    /** Continue on the present list: the person has seen it with his own edits. */
    acceptPresent: () => setDraft((before) => before && { ...before, version: list.Version }),
    discard: () => setDraft(null),
  }
}
