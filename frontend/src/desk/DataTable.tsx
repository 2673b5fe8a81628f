import { Button, Table, type TableProps } from 'antd'
import { PHONE, useMedia } from '@/lib/useMedia'
import { Empty, ErrorState, Loading } from '@/ui/States'

export interface PageAnswer<T> {
  Items: T[]
  Total: number
  PageIndex: number
  PageSize: number
}

export interface DataTableProps<T extends object> extends Omit<
  TableProps<T>,
  'dataSource' | 'pagination' | 'rowSelection' | 'loading'
> {
  page: PageAnswer<T> | undefined
  loading?: boolean
  error?: unknown
  onRetry?: () => void
  onPage?: (page: { PageIndex: number; PageSize: number }) => void
  /** Makes rows selectable. */
  selection?: TableProps<T>['rowSelection']
  /** Texts for an empty list. */
  empty?: { title: string; text?: string; action?: React.ReactNode }
}

/** Paper cannot scroll: the columns share its width. */
const PAPER = 'print'
/** The server lists no pages beyond this row. An export contains all rows. */
const DEEPEST = 10_000

/**
 * A page of a list: a placeholder at first, old rows while the next page loads, empty and error
 * states.
 */
export function DataTable<T extends object>({
  page,
  loading = false,
  error,
  onRetry,
  onPage,
  selection,
  empty,
  columns = [],
  ...rest
}: DataTableProps<T>) {
  // On a phone a fixed right column would cover the other columns.
  const isPhone = useMedia(PHONE)
  const isPaper = useMedia(PAPER)
  if (error && !page) return <ErrorState error={error} onRetry={onRetry} />
  if (!page) return <Loading height={440} />
  const isBeyondEnd = page.Items.length === 0 && page.Total > 0 && page.PageIndex > 1
  return (
    <Table<T>
      size="medium"
      {...rest}
      {...(isPaper ? { sticky: false } : {})}
      columns={
        isPhone || isPaper
          ? columns.map((column) =>
              isPaper || column.fixed === 'right' ? { ...column, fixed: false } : column,
            )
          : columns
      }
      dataSource={page.Items}
      loading={loading ? { delay: 200 } : false}
      {...(selection ? { rowSelection: selection } : {})}
      locale={{
        emptyText: isBeyondEnd ? (
          <Empty
            title="这一页没有记录"
            action={
              <Button onClick={() => onPage?.({ PageIndex: 1, PageSize: page.PageSize })}>
                回到第一页
              </Button>
            }
          >{`共 ${page.Total.toLocaleString('en-US')} 条，请翻到前面的页`}</Empty>
        ) : (
          <Empty title={empty?.title ?? '没有符合条件的记录'} action={empty?.action}>
            {empty?.text}
          </Empty>
        ),
      }}
      scroll={isPaper ? {} : { x: 'max-content' }}
      pagination={
        onPage
          ? {
              current: page.PageIndex,
              pageSize: page.PageSize,
              total: Math.min(page.Total, DEEPEST),
              pageSizeOptions: [10, 20, 50, 100, 1000],
              showSizeChanger: true,
              showTotal: () =>
                `共 ${page.Total.toLocaleString('en-US')} 条${page.Total > DEEPEST ? `，可翻看前 ${DEEPEST.toLocaleString('en-US')} 条` : ''}`,
              onChange: (PageIndex, PageSize) =>
                onPage({ PageIndex: PageSize === page.PageSize ? PageIndex : 1, PageSize }),
            }
          : false
      }
    />
  )
}
