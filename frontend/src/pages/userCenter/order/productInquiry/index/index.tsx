import { useQuery, type QueryClient } from '@tanstack/react-query'
import { redirect, type LoaderFunctionArgs } from 'react-router-dom'
import { ListPage } from '@/desk/ListPage'
import { inquiries } from '@/domain/inquiries/inquiries'
import { paths } from '@/lib/paths'
import { useFilters } from '@/lib/useFilters'
import { ButtonLink } from '@/ui/Button'
import { COLUMNS } from './columns'
import { FIELDS, FILTERS, toQuery } from './filters'

/** An address with a wish (`?keyword=…&quantity=…`) opens the form. */
export const loader =
  (client: QueryClient) =>
  ({ request }: LoaderFunctionArgs) => {
    const params = new URL(request.url).searchParams
    const keyword = params.get('keyword')
    if (keyword) return redirect(paths.inquiry({ keyword, quantity: params.get('quantity') ?? '' }))
    void client.prefetchQuery(inquiries(toQuery(FILTERS.read(params))))
    return null
  }

const apply = (
  <ButtonLink to={paths.inquiry()} look="primary">
    发起询价
  </ButtonLink>
)

export function Component() {
  const [filters, setFilters] = useFilters(FILTERS.read)
  return (
    <ListPage
      title="意向商品询价"
      extra={apply}
      list={useQuery(inquiries(toQuery(filters)))}
      filters={filters}
      setFilters={setFilters}
      fields={FIELDS}
      rowKey="InquiryNo"
      columns={COLUMNS}
      statusLabel="询价状态"
      isNarrowed={FILTERS.isNarrowed(filters)}
      empty={{
        noMatch: '没有符合条件的询价单',
        title: '还没有询价单',
        text: '目录里找不到的商品，告诉我们要什么、要多少，客服会为您报价',
        action: apply,
      }}
    />
  )
}
