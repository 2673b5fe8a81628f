import { useState } from 'react'
import { useBulkApprove, type Approval } from '@/domain/approvals/approvals'
import { toast } from '@/ui/toast'
import type { Refusal } from './Refusals'

/** Approves all that are ticked, with one word for all; what was refused is listed with its reason. */
export function useBulk(rows: readonly Approval[]) {
  const [ticked, setTicked] = useState<string[]>([])
  const [refused, setRefused] = useState<Refusal[]>([])
  const bulk = useBulkApprove()
  // What has left the page is not decided along with what can be seen.
  const chosen = rows.filter(({ Id }) => ticked.includes(Id))
  const send = (Comment: string, onSettled: () => void): void => {
    const numbers = new Map(chosen.map(({ Id, SubjectNo }) => [Id, SubjectNo]))
    bulk.mutate(
      { Ids: [...numbers.keys()], Comment },
      {
        onSuccess: ({ Results, Approved }) => {
          if (Approved) toast.success(`已同意 ${Approved} 条`)
          setRefused(Results.filter(({ Success }) => !Success).map(({ Id, RetMessage }) => ({ Id, No: numbers.get(Id) ?? Id, Message: RetMessage })))
          setTicked([])
        },
        onSettled,
      },
    )
  }
  return { ticked, setTicked, chosen, refused, setRefused, send, busy: bulk.isPending }
}

export type Bulk = ReturnType<typeof useBulk>
