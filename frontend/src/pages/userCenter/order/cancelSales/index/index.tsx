import { useQuery, type QueryClient } from '@tanstack/react-query'
import type { LoaderFunctionArgs } from 'react-router-dom'
import { DataTable } from '@/desk/DataTable'
import { FilterBar } from '@/desk/FilterBar'
import { Page } from '@/desk/Page'
import { StatusTabs } from '@/desk/StatusTabs'
import { useFilters } from '@/lib/useFilters'
import { cancels } from '@/domain/cancels/cancels'
import { paths } from '@/lib/paths'
import { ButtonLink } from '@/ui/Button'
import { HelpLink } from '@/ui/HelpLink'
import { COLUMNS } from './columns'
import { FIELDS, readFilters, toQuery } from './filters'

export const loader = (client: QueryClient) => ({ request }: LoaderFunctionArgs) => {
  void client.prefetchQuery(cancels(toQuery(readFilters(new URL(request.url).searchParams))))
  return null
}

export function Component() {
  const [filters, setFilters] = useFilters(readFilters)
  const { data, error, refetch, isPlaceholderData } = useQuery(cancels(toQuery(filters)))
  const narrowed = Boolean(filters.Keyword ?? filters.Status ?? filters.From ?? filters.To ?? filters.OrderNo)
  const tabs = <StatusTabs label="取消状态" tabs={data?.Tabs} value={filters.Status} failed={Boolean(error)} onChange={(Status) => setFilters({ Status })} />
  return (
    <Page title="取消订单" extra={<HelpLink to={paths.help(2)}>取消规则</HelpLink>} tabs={tabs}>
      <FilterBar value={filters} onChange={setFilters} fields={FIELDS} />
      <div aria-busy={isPlaceholderData}>
        <DataTable
          rowKey="Id"
          page={data}
          columns={COLUMNS}
          loading={isPlaceholderData}
          error={error}
          onRetry={() => void refetch()}
          onPage={setFilters}
          empty={
            narrowed
              ? { title: '没有符合条件的取消记录', text: '换个状态或放宽筛选条件试试' }
              : { title: '还没有取消记录', text: '未发货的商品，可在订单列表或订单详情中申请取消', action: <ButtonLink to={paths.orders()}>查看订单</ButtonLink> }
          }
        />
      </div>
    </Page>
  )
}
