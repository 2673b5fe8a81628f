import { keepPreviousData, queryOptions, useQuery, type QueryClient } from '@tanstack/react-query'
import { Table, type TableColumnType } from 'antd'
import type { LoaderFunctionArgs } from 'react-router-dom'
import { call, type Answer, type Query } from '@/api/call'
import { moneyColumn, textColumn } from '@/desk/columns'
import { ExportButton } from '@/desk/ExportButton'
import { FilterBar, type FilterField } from '@/desk/FilterBar'
import { asQuery, filterSchema } from '@/desk/filterSchema'
import { Page } from '@/desk/Page'
import { KINDS } from '@/domain/dimensions/dimensions'
import { toFen, yuan } from '@/lib/money'
import { search } from '@/lib/paths'
import { useFilters } from '@/lib/useFilters'
import { Empty, ErrorState, Loading } from '@/ui/States'

type Report = Answer<'/api/Report/Dimension'>
type Row = Report['Rows'][number]

const FILTERS = filterSchema(['Kind', 'From', 'To'])
type Filters = ReturnType<typeof FILTERS.read>
const FIELDS: readonly FilterField[] = [
  { kind: 'select', name: 'Kind', label: '类别', options: KINDS, width: 130 },
  { kind: 'range', names: ['From', 'To'], label: '下单日期' },
]

const report = (filters: Filters) => {
  const query = asQuery<Query<'/api/Report/Dimension'>>(FILTERS.withoutPage(filters))
  return queryOptions({
    queryKey: ['reports', 'dimension', query],
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => call('get', '/api/Report/Dimension', { query, signal, quiet: true }),
  })
}

export const loader =
  (client: QueryClient) =>
  ({ request }: LoaderFunctionArgs) => {
    void client.prefetchQuery(report(FILTERS.read(new URL(request.url).searchParams)))
    return null
  }

const columnsOf = ({ Total }: Report): TableColumnType<Row>[] => [
  textColumn<Row>('编码', ({ Code }) => Code || '—'),
  textColumn<Row>('名称', ({ Name }) => Name),
  textColumn<Row>('订单数', ({ Orders }) => Orders || '—', { align: 'right' }),
  moneyColumn<Row>('金额（含税）', ({ Amount }) => Amount),
  textColumn<Row>(
    '占比',
    ({ Amount }) => (toFen(Total) ? `${((toFen(Amount) / toFen(Total)) * 100).toFixed(1)}%` : '—'),
    { align: 'right' },
  ),
]

/** 核算报表: the orders of a period by cost centre, project or accounting subject. */
export function Component() {
  const [filters, setFilters] = useFilters(FILTERS.read)
  const { data, error, refetch, isPlaceholderData } = useQuery(report(filters))
  return (
    <Page
      title="核算报表"
      extra={
        <ExportButton
          method="GET"
          url={`/api/Report/Dimension/Export${search(FILTERS.withoutPage(filters))}`}
        />
      }
    >
      <FilterBar value={filters} onChange={setFilters} fields={FIELDS} />
      {error && !data ? (
        <ErrorState error={error} onRetry={() => void refetch()} />
      ) : !data ? (
        <Loading height={320} />
      ) : data.Rows.length === 0 ? (
        <Empty title="所选期间没有订单" icon="chart">
          换个下单日期试试
        </Empty>
      ) : (
        <Table<Row>
          rowKey={({ Code, Name }) => `${Code} ${Name}`}
          size="middle"
          loading={isPlaceholderData}
          columns={columnsOf(data)}
          dataSource={[...data.Rows]}
          pagination={false}
          scroll={{ x: 'max-content' }}
          footer={() =>
            `共 ${data.Orders} 张订单，合计 ${yuan(data.Total)}（含运费，取消的部分不计）`
          }
        />
      )}
    </Page>
  )
}
