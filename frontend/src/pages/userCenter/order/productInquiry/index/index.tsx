import { useQuery, type QueryClient } from '@tanstack/react-query'
import { redirect, type LoaderFunctionArgs } from 'react-router-dom'
import { DataTable } from '@/desk/DataTable'
import { FilterBar } from '@/desk/FilterBar'
import { Page } from '@/desk/Page'
import { StatusTabs } from '@/desk/StatusTabs'
import { useFilters } from '@/lib/useFilters'
import { inquiries } from '@/domain/inquiries/inquiries'
import { paths } from '@/lib/paths'
import { ButtonLink } from '@/ui/Button'
import { COLUMNS } from './columns'
import { FIELDS, readFilters, toQuery } from './filters'

/** A wish in the address (`?keyword=…&quantity=…`) opens the form. */
export const loader = (client: QueryClient) => ({ request }: LoaderFunctionArgs) => {
  const params = new URL(request.url).searchParams
  const keyword = params.get('keyword')
  if (keyword) return redirect(paths.inquiry({ keyword, quantity: params.get('quantity') ?? '' }))
  void client.prefetchQuery(inquiries(toQuery(readFilters(params))))
  return null
}

const ask = <ButtonLink to={paths.inquiry()} look="primary">发起询价</ButtonLink>

export function Component() {
  const [filters, setFilters] = useFilters(readFilters)
  const { data, error, refetch, isPlaceholderData } = useQuery(inquiries(toQuery(filters)))
  const narrowed = Boolean(filters.Keyword ?? filters.Status ?? filters.From ?? filters.To ?? filters.Unread)
  const tabs = <StatusTabs label="询价状态" tabs={data?.Tabs} value={filters.Status} failed={Boolean(error)} onChange={(Status) => setFilters({ Status })} />
  return (
    <Page title="意向商品询价" extra={ask} tabs={tabs}>
      <FilterBar value={filters} onChange={setFilters} fields={FIELDS} />
      <div aria-busy={isPlaceholderData}>
        <DataTable
          rowKey="InquiryNo"
          page={data}
          columns={COLUMNS}
          loading={isPlaceholderData}
          error={error}
          onRetry={() => void refetch()}
          onPage={setFilters}
          empty={
            narrowed
              ? { title: '没有符合条件的询价单', text: '换个状态或放宽筛选条件试试' }
              : { title: '还没有询价单', text: '目录里找不到的商品，告诉我们要什么、要多少，客服会为您报价', action: ask }
          }
        />
      </div>
    </Page>
  )
}
