import { useQuery, type QueryClient } from '@tanstack/react-query'
import { Button, Segmented } from 'antd'
import { lazy, Suspense, useState } from 'react'
import type { LoaderFunctionArgs } from 'react-router-dom'
import { DataTable } from '@/desk/DataTable'
import { ExportButton } from '@/desk/ExportButton'
import { Page } from '@/desk/Page'
import { useImportLink } from '@/desk/useImportLink'
import { search } from '@/lib/paths'
import { useFilters } from '@/lib/useFilters'
import { PHONE, useMedia } from '@/lib/useMedia'
import { Loading } from '@/ui/States'
import { budgets, summary, type BudgetRow } from './api'
import styles from './budget.module.css'
import { budgetColumns } from './columns'
import type { DialogState } from './BudgetDialogs'
import { Filters } from './Filters'
import { FILTERS, toQuery } from './filters'
import { Sums } from './Sums'

const Transfers = lazy(() => import(/* webpackChunkName: "budgetTransfers" */ './Transfers'))
const Tree = lazy(() => import(/* webpackChunkName: "budgetTree" */ './Tree'))
const BudgetDialogs = lazy(() => import(/* webpackChunkName: "budgetDialogs" */ './BudgetDialogs'))

export const loader =
  (client: QueryClient) =>
  ({ request }: LoaderFunctionArgs) => {
    const query = toQuery(FILTERS.read(new URL(request.url).searchParams))
    void client.prefetchQuery(budgets(query))
    void client.prefetchQuery(summary(query))
    return null
  }

export function Component() {
  const [filters, setFilters] = useFilters(FILTERS.read)
  const [openDialog, setOpenDialog] = useState<DialogState | null>(null)
  useImportLink(() => setOpenDialog({ kind: 'import' }))
  const isPhone = useMedia(PHONE)
  const query = toQuery(filters)
  const { PageIndex: _index, PageSize: _size, ...wanted } = query
  const isTree = filters.View === 'tree'
  const { data, error, refetch, isPlaceholderData } = useQuery(budgets(query))
  const sums = useQuery(summary(query))
  const add = sums.data?.CanKeep && (
    <Button type="primary" onClick={() => setOpenDialog({ kind: 'open' })}>
      新增预算
    </Button>
  )
  const extra = (
    <span className={styles.head}>
      <Segmented
        aria-label="显示方式"
        value={isTree ? 'tree' : 'list'}
        options={[
          { value: 'list', label: '列表' },
          { value: 'tree', label: '树形' },
        ]}
        onChange={(View) => setFilters({ View: View === 'tree' ? 'tree' : undefined })}
      />
      <Button onClick={() => setOpenDialog({ kind: 'past' })}>调拨记录</Button>
      <ExportButton method="GET" url={`/api/Budget/Export${search(wanted)}`} />
      {add && <Button onClick={() => setOpenDialog({ kind: 'import' })}>导入</Button>}
      {add}
    </span>
  )
  const columns = budgetColumns(
    (row, shown) => setOpenDialog({ kind: 'look', row, filter: shown }),
    (action, row) => setOpenDialog({ kind: action, row }),
    isPhone,
  )
  return (
    <Page title="预算余额" extra={extra}>
      <Sums sums={sums.data} onState={(State) => setFilters({ State })} />
      <Suspense fallback={null}>
        <Transfers />
      </Suspense>
      <Filters value={filters} onChange={setFilters} />
      {isTree ? (
        <Suspense fallback={<Loading height={440} />}>
          <Tree query={query} onLook={(Keyword) => setFilters({ View: undefined, Keyword })} />
        </Suspense>
      ) : (
        <div aria-busy={isPlaceholderData}>
          <DataTable<BudgetRow>
            rowKey="Id"
            page={data}
            columns={columns}
            loading={isPlaceholderData}
            error={error}
            onRetry={() => void refetch()}
            onPage={setFilters}
            empty={
              FILTERS.isNarrowed(filters)
                ? { title: '没有符合条件的预算', text: '放宽筛选条件试试' }
                : {
                    title: '还没有进行中的预算',
                    text: '设立预算后，订单提交时预占，收货后使用，退货退回',
                    action: add,
                  }
            }
          />
        </div>
      )}
      {openDialog && (
        <Suspense fallback={null}>
          <BudgetDialogs openDialog={openDialog} onClose={() => setOpenDialog(null)} />
        </Suspense>
      )}
    </Page>
  )
}
