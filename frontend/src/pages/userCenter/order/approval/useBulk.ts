import { useState } from 'react'
import { useBulkApprove, type Approval } from '@/domain/approvals/approvals'
import { toast } from '@/ui/toast'
import type { Refusal } from './Refusals'

/** Approve the selection with one comment. Refused approvals are listed with their reasons. */
export function useBulk(rows: readonly Approval[]) {
  const [ticked, setTicked] = useState<string[]>([])
  const [refused, setRefused] = useState<Refusal[]>([])
  const bulk = useBulkApprove()
  // Rows that are no longer on the page are not included.
  const chosen = rows.filter(({ Id }) => ticked.includes(Id))
  const send = (Comment: string, onSettled: () => void): void => {
    const numbers = new Map(chosen.map(({ Id, SubjectNo }) => [Id, SubjectNo]))
    bulk.mutate(
      { Ids: [...numbers.keys()], Comment },
      {
        onSuccess: ({ Results, Approved }) => {
          if (Approved) toast.success(`已同意 ${Approved} 条`)
          setRefused(
            Results.filter(({ Success }) => !Success).map(({ Id, RetMessage }) => ({
              Id,
              No: numbers.get(Id) ?? Id,
              Message: RetMessage,
            })),
          )
          setTicked([])
        },
        onSettled,
      },
    )
  }
  return { ticked, setTicked, chosen, refused, setRefused, send, busy: bulk.isPending }
}

export type Bulk = ReturnType<typeof useBulk>
