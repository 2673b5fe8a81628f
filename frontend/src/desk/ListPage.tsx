import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { DataTable, type DataTableProps, type PageAnswer } from './DataTable'
import { FilterBar, type FilterField } from './FilterBar'
import { Page } from './Page'
import { StatusTabs, type StatusTab } from './StatusTabs'

interface Paged {
  PageIndex: number
  PageSize: number
}

interface ListBodyProps<T extends object, F extends Paged> {
  list: UseQueryResult<PageAnswer<T>>
  filters: F
  setFilters: (change: Partial<F>) => void
  fields: readonly FilterField[]
  rowKey: string & keyof T
  columns: DataTableProps<T>['columns']
  isNarrowed: boolean
  /** Makes rows selectable. */
  selection?: DataTableProps<T>['selection']
  empty: {
    /** The title when no row matches the filters. */
    noMatch: string
    /** The title, text and action when there is no row at all. */
    title: string
    text: string
    action?: ReactNode
  }
  /** Between the filters and the table. */
  children?: ReactNode
}

/** The filters and the table of a list, with its loading, empty and error states. */
export function ListBody<T extends object, F extends Paged>({
  list: { data, error, refetch, isPlaceholderData },
  filters,
  setFilters,
  fields,
  rowKey,
  columns,
  isNarrowed,
  selection,
  empty: { noMatch, ...nothing },
  children,
}: ListBodyProps<T, F>) {
  return (
    <>
      <FilterBar value={filters} onChange={setFilters} fields={fields} />
      {children}
      <div aria-busy={isPlaceholderData}>
        <DataTable<T>
          rowKey={rowKey}
          page={data}
          columns={columns ?? []}
          {...(selection ? { selection } : {})}
          loading={isPlaceholderData}
          error={error}
          onRetry={() => void refetch()}
          onPage={(page) => setFilters(page as Partial<F>)}
          empty={isNarrowed ? { title: noMatch, text: '换个状态或放宽筛选条件试试' } : nothing}
        />
      </div>
    </>
  )
}

interface ListPageProps<T extends object, F extends Paged & { Status?: string }> extends Omit<
  ListBodyProps<T, F>,
  'list'
> {
  title: string
  /** At the right of the title. */
  extra: ReactNode
  list: UseQueryResult<PageAnswer<T> & { Tabs: readonly StatusTab[] }>
  statusLabel: string
  /** The states whose tabs are shown even when they are empty. Without it: all. */
  alwaysShown?: ReadonlySet<string>
}

/** A list of documents: one tab per state, filters, a table. */
export function ListPage<T extends object, F extends Paged & { Status?: string }>({
  title,
  extra,
  statusLabel,
  alwaysShown,
  ...body
}: ListPageProps<T, F>) {
  const { list, filters, setFilters } = body
  return (
    <Page
      title={title}
      extra={extra}
      tabs={
        <StatusTabs
          label={statusLabel}
          tabs={list.data?.Tabs}
          always={alwaysShown}
          value={filters.Status}
          hasFailed={Boolean(list.error)}
          onChange={(Status) => setFilters({ Status } as Partial<F>)}
        />
      }
    >
      <ListBody<T, F> {...body} />
    </Page>
  )
}
