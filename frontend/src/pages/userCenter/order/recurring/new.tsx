import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearchParams } from 'react-router-dom'
import { Page } from '@/desk/Page'
import { recurringDraft, useRepeat } from '@/domain/recurring/recurring'
import { paths } from '@/lib/paths'
import { ErrorState, Loading } from '@/ui/States'
import { RecurringForm } from './RecurringForm'

/** 设为定期采购, from an order or from the selected lines of the cart. */
export function Component() {
  const [query] = useSearchParams()
  const OrderNo = query.get('OrderNo') ?? ''
  const { data, error, refetch } = useQuery(recurringDraft({ OrderNo }))
  const repeat = useRepeat()
  const navigate = useNavigate()
  if (error && !data) return <ErrorState error={error} onRetry={() => void refetch()} />
  if (!data) return <Loading height={320} />
  return (
    <Page title="设为定期采购">
      <RecurringForm
        draft={{ ...data, RisePercent: data.RisePercent ?? '10.00' }}
        okText="设为定期采购"
        startHint="留空从今天起"
        isSaving={repeat.isPending}
        onSave={async (body) => {
          const row = await repeat.mutateAsync(body)
          void navigate(paths.recurringOrder(row.RecurringNo))
        }}
      />
    </Page>
  )
}
