import { useQuery, type QueryClient } from '@tanstack/react-query'
import { type LoaderFunctionArgs } from 'react-router-dom'
import { ListPage } from '@/desk/ListPage'
import { returns } from '@/domain/returns/returns'
import { paths } from '@/lib/paths'
import { useFilters } from '@/lib/useFilters'
import { ButtonLink } from '@/ui/Button'
import { COLUMNS } from './columns'
import { ALWAYS, FIELDS, FILTERS, toQuery } from './filters'

export const loader =
  (client: QueryClient) =>
  ({ request }: LoaderFunctionArgs) => {
    void client.prefetchQuery(returns(toQuery(FILTERS.read(new URL(request.url).searchParams))))
    return null
  }

const apply = (
  <ButtonLink to={paths.applyReturn()} look="primary">
    申请售后
  </ButtonLink>
)

export function Component() {
  const [filters, setFilters] = useFilters(FILTERS.read)
  return (
    <ListPage
      title="退换货"
      extra={apply}
      list={useQuery(returns(toQuery(filters)))}
      filters={filters}
      setFilters={setFilters}
      fields={FIELDS}
      rowKey="ReturnOrderId"
      columns={COLUMNS}
      statusLabel="售后状态"
      alwaysShown={ALWAYS}
      isNarrowed={FILTERS.isNarrowed(filters)}
      empty={{
        noMatch: '没有符合条件的售后单',
        title: '还没有售后单',
        text: '收货后发现破损、少件、发错或不合用，都可以在这里申请退货、换货或维修',
        action: apply,
      }}
    />
  )
}
