import { useQuery, type QueryClient } from '@tanstack/react-query'
import { type LoaderFunctionArgs } from 'react-router-dom'
import { ListPage } from '@/desk/ListPage'
import { cancels } from '@/domain/cancels/cancels'
import { paths } from '@/lib/paths'
import { useFilters } from '@/lib/useFilters'
import { ButtonLink } from '@/ui/Button'
import { HelpLink } from '@/ui/HelpLink'
import { COLUMNS } from './columns'
import { FIELDS, FILTERS, toQuery } from './filters'

export const loader =
  (client: QueryClient) =>
  ({ request }: LoaderFunctionArgs) => {
    void client.prefetchQuery(cancels(toQuery(FILTERS.read(new URL(request.url).searchParams))))
    return null
  }

export function Component() {
  const [filters, setFilters] = useFilters(FILTERS.read)
  return (
    <ListPage
      title="取消订单"
      extra={<HelpLink to={paths.help(2)}>取消规则</HelpLink>}
      list={useQuery(cancels(toQuery(filters)))}
      filters={filters}
      setFilters={setFilters}
      fields={FIELDS}
      rowKey="Id"
      columns={COLUMNS}
      statusLabel="取消状态"
      isNarrowed={FILTERS.isNarrowed(filters)}
      empty={{
        noMatch: '没有符合条件的取消记录',
        title: '还没有取消记录',
        text: '未发货的商品，可在订单列表或订单详情中申请取消',
        action: <ButtonLink to={paths.orders()}>查看订单</ButtonLink>,
      }}
    />
  )
}
