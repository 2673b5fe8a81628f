import { Table, type TableProps } from 'antd'
import { useMedia } from '@/lib/useMedia'
import { Empty, ErrorState, Loading } from '@/ui/States'

interface PageAnswer<T> {
  Items: T[]
  Total: number
  PageIndex: number
  PageSize: number
}

interface DataTableProps<T extends object> extends Omit<TableProps<T>, 'dataSource' | 'pagination' | 'rowSelection' | 'loading'> {
  page: PageAnswer<T> | undefined
  loading?: boolean
  error?: unknown
  onRetry?: () => void
  onPage?: (page: { PageIndex: number; PageSize: number }) => void
  /** Rows that may be ticked. */
  selection?: TableProps<T>['rowSelection']
  /** Words for an empty list. */
  empty?: { title: string; text?: string; action?: React.ReactNode }
}

/** So narrow that what stays at the right would lie over all the rest. */
const PHONE = '(max-width: 700px)'

/** A page of a list: skeleton of the same height at first, rows that stay while the next page loads, designed empty and error states. */
export function DataTable<T extends object>({ page, loading = false, error, onRetry, onPage, selection, empty, columns = [], ...rest }: DataTableProps<T>) {
  const isPhone = useMedia(PHONE)
  if (error && !page) return <ErrorState error={error} onRetry={onRetry} />
  if (!page) return <Loading height={440} />
  return (
    <Table<T>
      size="medium"
      {...rest}
      columns={isPhone ? columns.map((column) => (column.fixed === 'right' ? { ...column, fixed: false } : column)) : columns}
      dataSource={page.Items}
      loading={loading ? { delay: 200 } : false}
      {...(selection ? { rowSelection: selection } : {})}
      locale={{ emptyText: <Empty title={empty?.title ?? '没有符合条件的记录'} action={empty?.action}>{empty?.text}</Empty> }}
      scroll={{ x: 'max-content' }}
      pagination={
        onPage
          ? {
              current: page.PageIndex,
              pageSize: page.PageSize,
              total: page.Total,
              pageSizeOptions: [10, 20, 50, 100, 1000],
              showSizeChanger: true,
              showTotal: (total) => `共 ${total.toLocaleString('en-US')} 条`,
              onChange: (PageIndex, PageSize) => onPage({ PageIndex: PageSize === page.PageSize ? PageIndex : 1, PageSize }),
            }
          : false
      }
    />
  )
}
