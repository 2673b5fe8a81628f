import { useQuery, type QueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import type { LoaderFunctionArgs } from 'react-router-dom'
import { DataTable } from '@/desk/DataTable'
import { FilterBar } from '@/desk/FilterBar'
import { Page } from '@/desk/Page'
import { getProductTitle } from '@/lib/productTitle'
import { useFilters } from '@/lib/useFilters'
import { available, invoiceOptions, type AvailableRow } from '@/domain/invoices/invoices'
import { paths } from '@/lib/paths'
import { Button, ButtonLink } from '@/ui/Button'
import styles from './apply.module.css'
import { availableColumns } from './columns'
import { fieldsOf, isNarrowed, FILTERS, toQuery, type ApplyFilters } from './filters'
import {
  allOf,
  getKey,
  EMPTY_SELECTION,
  setQuantity,
  getSums,
  tick,
  type Selection,
} from './selection'
import { SelectionBar } from './SelectionBar'

const Confirm = lazy(() => import(/* webpackChunkName: "invoiceConfirm" */ './Confirm'))
const Titles = lazy(() => import(/* webpackChunkName: "invoiceTitles" */ './Titles'))
const MAX_LINES = 5000

export const loader =
  (client: QueryClient) =>
  ({ request }: LoaderFunctionArgs) => {
    void client.prefetchQuery(available(toQuery(FILTERS.read(new URL(request.url).searchParams))))
    void client.prefetchQuery(invoiceOptions)
    return null
  }

interface PickProps {
  filters: ApplyFilters
  setFilters: (change: Partial<ApplyFilters>) => void
  selection: Selection
  onSelect: (selection: Selection) => void
}

/** The goods that can be invoiced, with the selected quantities. */
function Pick({ filters, setFilters, selection, onSelect }: PickProps) {
  const { data, error, refetch, isPlaceholderData } = useQuery(available(toQuery(filters)))
  const { data: options } = useQuery(invoiceOptions)
  const narrow = (change: Partial<ApplyFilters>): void => {
    // Clear the selection when the enterprise changes. "All" means all rows of the current filter.
    if (selection.all || ('EnterpriseId' in change && change.EnterpriseId !== filters.EnterpriseId))
      onSelect(EMPTY_SELECTION)
    setFilters(change)
  }
  const keys = selection.all ? (data?.Items ?? []).map(getKey) : [...selection.rows.keys()]
  return (
    <>
      <FilterBar value={filters} onChange={narrow} fields={fieldsOf(options)} />
      <div className={styles.rows} aria-busy={isPlaceholderData}>
        <DataTable<AvailableRow>
          rowKey={getKey}
          page={data}
          columns={availableColumns(selection, (row, quantity) =>
            onSelect(setQuantity(selection, row, quantity)),
          )}
          loading={isPlaceholderData}
          error={error}
          onRetry={() => void refetch()}
          onPage={setFilters}
          selection={{
            selectedRowKeys: keys,
            preserveSelectedRowKeys: true,
            onChange: (ticked) =>
              onSelect(
                tick(
                  selection.all ? tick(EMPTY_SELECTION, data?.Items ?? [], keys) : selection,
                  data?.Items ?? [],
                  ticked.map(String),
                ),
              ),
            getCheckboxProps: (row) => ({
              'aria-label': `选择 ${row.OrderNo} ${getProductTitle(row)}`,
            }),
          }}
          empty={
            isNarrowed(filters)
              ? { title: '没有符合条件的可开票商品', text: '换个月份、部门或订单号试试' }
              : {
                  title: '暂无可开票的商品',
                  text: '确认收货后、且未开票的商品会出现在这里',
                  action: <ButtonLink to={paths.orders()}>查看我的订单</ButtonLink>,
                }
          }
        />
      </div>
      {data && data.Total > 0 && (
        <SelectionBar
          selection={selection}
          total={data.Total}
          most={options?.MaxLines ?? MAX_LINES}
          onAll={() => onSelect(allOf(data.Totals, filters))}
          onClear={() => onSelect(EMPTY_SELECTION)}
          onNext={() => setFilters({ Step: 'confirm', PageIndex: filters.PageIndex })}
        />
      )}
    </>
  )
}

export function Component() {
  const [filters, setFilters] = useFilters(FILTERS.read)
  const [selection, setSelection] = useState<Selection>(EMPTY_SELECTION)
  const isConfirming = filters.Step === 'confirm' && getSums(selection).rows > 0
  const go = (change: Partial<ApplyFilters>): void =>
    setFilters({ ...change, PageIndex: filters.PageIndex })
  const extra = (
    <span className={styles.head}>
      <Button onClick={() => go({ Dialog: 'titles' })}>管理抬头</Button>
      <ButtonLink to={paths.invoices()}>开票记录</ButtonLink>
    </span>
  )
  return (
    <Page title={isConfirming ? '填写开票信息' : '申请开票'} extra={extra}>
      {isConfirming ? (
        <Suspense fallback={null}>
          <Confirm
            selection={selection}
            enterpriseId={filters.EnterpriseId}
            onBack={() => go({ Step: undefined })}
            onTitles={() => go({ Dialog: 'titles' })}
            onDone={() => {
              setSelection(EMPTY_SELECTION)
              setFilters({ Step: undefined })
            }}
          />
        </Suspense>
      ) : (
        <Pick
          filters={filters}
          setFilters={setFilters}
          selection={selection}
          onSelect={setSelection}
        />
      )}
      {filters.Dialog === 'titles' && (
        <Suspense fallback={null}>
          <Titles enterpriseId={filters.EnterpriseId} onClose={() => go({ Dialog: undefined })} />
        </Suspense>
      )}
    </Page>
  )
}
