import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useNavigate, useParams } from 'react-router-dom'
import { Page } from '@/desk/Page'
import {
  recurringDraft,
  recurringOrder,
  useChangeRecurring,
  type RecurringDetail,
  type RecurringDraft,
} from '@/domain/recurring/recurring'
import { paths } from '@/lib/paths'
import { ErrorState, Loading } from '@/ui/States'
import { RecurringForm } from './RecurringForm'

function Editor({ row, draft }: { row: RecurringDetail; draft: RecurringDraft }) {
  // The state that the form shows; a later reread must not let an old form overwrite a new one.
  const [UpdatedAt] = useState(row.UpdatedAt)
  const change = useChangeRecurring(row.RecurringNo)
  const navigate = useNavigate()
  return (
    <RecurringForm
      draft={draft}
      okText="保存"
      startHint={`留空保持下次下单 ${row.NextDue}`}
      isSaving={change.isPending}
      onSave={async (body) => {
        await change.mutateAsync({ ...body, UpdatedAt })
        void navigate(paths.recurringOrder(row.RecurringNo))
      }}
    />
  )
}

/** 修改定期采购. */
export function Component() {
  const { id = '' } = useParams()
  const draft = useQuery(recurringDraft({ RecurringNo: id }))
  const row = useQuery(recurringOrder(id))
  const error = draft.error ?? row.error
  if (error && !(draft.data && row.data))
    return (
      <ErrorState
        error={error}
        onRetry={() => void Promise.all([draft.refetch(), row.refetch()])}
      />
    )
  if (!draft.data || !row.data) return <Loading height={320} />
  return (
    <Page title={`修改定期采购：${row.data.Name}`}>
      <Editor row={row.data} draft={draft.data} />
    </Page>
  )
}
