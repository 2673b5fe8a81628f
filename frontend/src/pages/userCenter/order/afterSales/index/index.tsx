import { useQuery, type QueryClient } from '@tanstack/react-query'
import type { LoaderFunctionArgs } from 'react-router-dom'
import { DataTable } from '@/desk/DataTable'
import { FilterBar } from '@/desk/FilterBar'
import { Page } from '@/desk/Page'
import { StatusTabs } from '@/desk/StatusTabs'
import { useFilters } from '@/lib/useFilters'
import { returns } from '@/domain/returns/returns'
import { paths } from '@/lib/paths'
import { ButtonLink } from '@/ui/Button'
import { COLUMNS } from './columns'
import { ALWAYS, FIELDS, readFilters, toQuery } from './filters'

export const loader = (client: QueryClient) => ({ request }: LoaderFunctionArgs) => {
  void client.prefetchQuery(returns(toQuery(readFilters(new URL(request.url).searchParams))))
  return null
}

const apply = <ButtonLink to={paths.applyReturn()} look="primary">申请售后</ButtonLink>

export function Component() {
  const [filters, setFilters] = useFilters(readFilters)
  const { data, error, refetch, isPlaceholderData } = useQuery(returns(toQuery(filters)))
  const narrowed = Boolean(filters.Keyword ?? filters.Status ?? filters.Kind ?? filters.From ?? filters.To ?? filters.Unread)
  const tabs = <StatusTabs label="售后状态" tabs={data?.Tabs} always={ALWAYS} value={filters.Status} failed={Boolean(error)} onChange={(Status) => setFilters({ Status })} />
  return (
    <Page title="退换货" extra={apply} tabs={tabs}>
      <FilterBar value={filters} onChange={setFilters} fields={FIELDS} />
      <div aria-busy={isPlaceholderData}>
        <DataTable
          rowKey="ReturnOrderId"
          page={data}
          columns={COLUMNS}
          loading={isPlaceholderData}
          error={error}
          onRetry={() => void refetch()}
          onPage={setFilters}
          empty={
            narrowed
              ? { title: '没有符合条件的售后单', text: '换个状态或放宽筛选条件试试' }
              : { title: '还没有售后单', text: '收货后发现破损、少件、发错或不合用，都可以在这里申请退货、换货或维修', action: apply }
          }
        />
      </div>
    </Page>
  )
}
