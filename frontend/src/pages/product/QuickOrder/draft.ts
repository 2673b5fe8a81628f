import { read, remove, write } from '@/lib/storage'
import type { Line } from './model'

/** What is kept of unfinished work on this machine: enough to ask for it again, since prices and stock may have moved meanwhile. */
export interface Draft {
  rows: readonly { code: string; quantity: string }[]
  pasted: string
  lines: readonly { Code: string; Quantity: number | null }[]
}

const keyOf = (uid: string): string => `quickOrder.${uid}`

/** What names a line's product from now on: the one that was chosen, else what was written. */
const asked = (line: Line) => ({ Code: (line.Product?.ProductCode ?? (line.Code || line.Text)).slice(0, 200), Quantity: line.Quantity && line.Quantity <= 999_999 ? line.Quantity : null })

export const draftLines = (lines: readonly Line[]): Draft['lines'] => lines.filter(({ Status }) => Status !== 'merged' && Status !== 'skipped').map(asked)

export function keepDraft(uid: string, draft: Draft): void {
  const empty = !draft.lines.length && !draft.pasted.trim() && !draft.rows.some(({ code, quantity }) => code || quantity)
  if (empty) remove('local', keyOf(uid))
  else write('local', keyOf(uid), draft)
}

export const keptDraft = (uid: string): Draft | null => read<Draft>('local', keyOf(uid))
