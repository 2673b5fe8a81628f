import { useQuery, type QueryClient } from '@tanstack/react-query'
import { Segmented } from 'antd'
import { lazy, Suspense, useState } from 'react'
import type { LoaderFunctionArgs } from 'react-router-dom'
import { ListBody } from '@/desk/ListPage'
import { Page } from '@/desk/Page'
import { StatusTabs } from '@/desk/StatusTabs'
import { useFilters } from '@/lib/useFilters'
import { applications, invoices } from '@/domain/invoices/invoices'
import { yuan } from '@/lib/money'
import { paths } from '@/lib/paths'
import { ButtonLink } from '@/ui/Button'
import { SelectionBar } from './SelectionBar'
import { applicationColumns, invoiceColumns } from './columns'
import {
  APPLICATION_FIELDS,
  INVOICE_FIELDS,
  isNarrowed,
  FILTERS,
  showsApplications,
  toApplications,
  toInvoices,
  type RecordFilters,
} from './filters'
import styles from './records.module.css'

const ApplicationDrawer = lazy(
  () => import(/* webpackChunkName: "invoiceApplication" */ './ApplicationDrawer'),
)

export const loader =
  (client: QueryClient) =>
  ({ request }: LoaderFunctionArgs) => {
    const filters = FILTERS.read(new URL(request.url).searchParams)
    if (showsApplications(filters)) void client.prefetchQuery(applications(toApplications(filters)))
    else void client.prefetchQuery(invoices(toInvoices(filters)))
    return null
  }

interface ListProps {
  filters: RecordFilters
  setFilters: (change: Partial<RecordFilters>) => void
  onApplication: (no: string) => void
}

interface StatesProps extends Pick<ListProps, 'filters' | 'setFilters'> {
  tabs: readonly { Code: string; Name: string; Count: number }[] | undefined
  always: ReadonlySet<string>
  hasFailed: boolean
}

const INVOICES = new Set(['', 'planned', 'issued', 'red'])
const APPLICATIONS = new Set(['', 'pending', 'accepted', 'issued', 'rejected'])

/** The states with their counts. Rare states are shown when they are not empty. */
function States({ tabs, always, hasFailed, filters, setFilters }: StatesProps) {
  return (
    <div className={styles.states}>
      <StatusTabs
        label="状态"
        tabs={tabs}
        always={always}
        value={filters.Status}
        hasFailed={hasFailed}
        onChange={(Status) => setFilters({ Status })}
      />
    </div>
  )
}

const apply = (
  <ButtonLink to={paths.invoiceApply()} look="primary">
    申请开票
  </ButtonLink>
)

function InvoiceList({ filters, setFilters, onApplication }: ListProps) {
  const query = toInvoices(filters)
  const list = useQuery(invoices(query))
  const { data, error } = list
  const [chosen, setChosen] = useState<readonly string[]>([])
  return (
    <>
      <States
        tabs={data?.Tabs}
        always={INVOICES}
        hasFailed={Boolean(error)}
        filters={filters}
        setFilters={setFilters}
      />
      <ListBody
        list={list}
        filters={filters}
        setFilters={setFilters}
        fields={INVOICE_FIELDS}
        rowKey="Id"
        columns={invoiceColumns(onApplication)}
        isNarrowed={isNarrowed(filters)}
        selection={{
          selectedRowKeys: [...chosen],
          preserveSelectedRowKeys: true,
          onChange: (keys) => setChosen(keys.map(String)),
          getCheckboxProps: ({ InvoiceNo }) => ({ disabled: !InvoiceNo }),
        }}
        empty={{
          noMatch: '没有符合条件的记录',
          title: '还没有发票',
          text: '确认收货后即可申请开票，开具后在这里下载',
          action: apply,
        }}
      >
        <SelectionBar
          ids={chosen}
          total={data?.Total ?? 0}
          query={query}
          onClear={() => setChosen([])}
        />
        {data && data.Total > 0 && (
          <p className={styles.sum}>
            共 {data.Total} 张，价税合计 <b>{yuan(data.Amount)}</b>（红字为负）
          </p>
        )}
      </ListBody>
    </>
  )
}

function ApplicationList({ filters, setFilters, onApplication }: ListProps) {
  const list = useQuery(applications(toApplications(filters)))
  return (
    <>
      <States
        tabs={list.data?.Tabs}
        always={APPLICATIONS}
        hasFailed={Boolean(list.error)}
        filters={filters}
        setFilters={setFilters}
      />
      <ListBody
        list={list}
        filters={filters}
        setFilters={setFilters}
        fields={APPLICATION_FIELDS}
        rowKey="ApplicationNo"
        columns={applicationColumns(onApplication)}
        isNarrowed={isNarrowed(filters)}
        empty={{
          noMatch: '没有符合条件的记录',
          title: '还没有开票申请',
          text: '确认收货后即可申请开票',
          action: apply,
        }}
      />
    </>
  )
}

const NO_FILTER: Partial<RecordFilters> = {
  Keyword: undefined,
  Status: undefined,
  Kind: undefined,
  OrderNo: undefined,
  IsRed: undefined,
  Mark: undefined,
  From: undefined,
  To: undefined,
}
const VIEWS = [
  { value: 'invoices', label: '发票' },
  { value: 'applications', label: '开票申请' },
]

export function Component() {
  const [filters, setFilters] = useFilters(FILTERS.read)
  const asksApplications = showsApplications(filters)
  const openApplication = (ApplicationNo: string | undefined): void =>
    setFilters({ ApplicationNo, PageIndex: filters.PageIndex })
  const List = asksApplications ? ApplicationList : InvoiceList
  return (
    <Page
      title="开票记录"
      extra={apply}
      tabs={
        <Segmented
          aria-label="查看"
          options={VIEWS}
          value={asksApplications ? 'applications' : 'invoices'}
          onChange={(View) =>
            setFilters({ ...NO_FILTER, View: View === 'applications' ? View : undefined })
          }
        />
      }
    >
      <List filters={filters} setFilters={setFilters} onApplication={openApplication} />
      {filters.ApplicationNo && (
        <Suspense fallback={null}>
          <ApplicationDrawer
            no={filters.ApplicationNo}
            onClose={() => openApplication(undefined)}
          />
        </Suspense>
      )}
    </Page>
  )
}
