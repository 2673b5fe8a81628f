import { keepPreviousData, useQuery, type QueryClient } from '@tanstack/react-query'
import type { LoaderFunctionArgs } from 'react-router-dom'
import { Page } from '@/desk/Page'
import { useFilters } from '@/lib/useFilters'
import { badge } from '@/domain/cart/cart'
import { notices, preferences, unreadCount, useRead } from '@/domain/notices/notices'
import { useSession } from '@/lib/session'
import { Button } from '@/ui/Button'
import { cx } from '@/ui/cx'
import { Pager } from '@/ui/Pager'
import { Empty, ErrorState, Loading } from '@/ui/States'
import { Tabs } from '@/ui/Tabs'
import { toast } from '@/ui/toast'
import { readFilters, SECTIONS, toQuery, type NoticeFilters } from './filters'
import { Line } from './Line'
import styles from './notice.module.css'
import { Settings } from './Settings'

export const loader =
  (client: QueryClient) =>
  ({ request }: LoaderFunctionArgs) => {
    const filters = readFilters(new URL(request.url).searchParams)
    void (filters.View === 'settings'
      ? client.prefetchQuery(preferences())
      : client.prefetchQuery(notices(toQuery(filters))))
    return null
  }

type Change = (changed: Partial<NoticeFilters>) => void

function Sections({ value, onChange }: { value: NoticeFilters['Section']; onChange: Change }) {
  const all = [{ key: undefined, label: '全部类型' }, ...SECTIONS]
  return (
    <div className={styles.sections} role="group" aria-label="消息类型">
      {all.map(({ key, label }) => (
        <button
          key={label}
          type="button"
          aria-pressed={key === value}
          onClick={() => onChange({ Section: key })}
        >
          {label}
        </button>
      ))}
    </div>
  )
}

function List({ filters, onChange }: { filters: NoticeFilters; onChange: Change }) {
  const { data, error, refetch, isPlaceholderData } = useQuery({
    ...notices(toQuery(filters)),
    staleTime: 0,
    placeholderData: keepPreviousData,
  })
  const read = useRead()
  const isNarrow = filters.View === 'unread' || filters.Section !== undefined
  if (error && !data) return <ErrorState error={error} onRetry={() => void refetch()} />
  if (!data) return <Loading height={560} />
  if (data.Items.length === 0)
    return (
      <Empty
        icon="horn"
        title={
          filters.View === 'unread' ? '没有未读消息' : isNarrow ? '没有这类消息' : '还没有消息'
        }
        action={
          isNarrow && (
            <Button onClick={() => onChange({ View: '', Section: undefined })}>看全部消息</Button>
          )
        }
      >
        审批、发货、报价、预算等进展会显示在这里
      </Empty>
    )
  return (
    <>
      <ul
        className={cx(styles.list, isPlaceholderData && styles.waiting)}
        aria-label="消息"
        aria-busy={isPlaceholderData}
      >
        {data.Items.map((notice) => (
          <Line
            key={notice.Id}
            notice={notice}
            isBusy={read.isPending}
            onRead={() => read.mutate([notice.Id])}
          />
        ))}
      </ul>
      {data.Total > data.PageSize && (
        <Pager
          total={data.Total}
          pageIndex={data.PageIndex}
          pageSize={data.PageSize}
          onChange={onChange}
        />
      )}
    </>
  )
}

/** 消息通知: all notices, and the channel settings. */
export function Component() {
  const [filters, setFilters] = useFilters(readFilters)
  const uid = useSession()?.User.uid ?? ''
  const { data: unread } = useQuery({ ...unreadCount(uid), enabled: uid !== '' })
  const readAll = useRead()
  const isList = filters.View !== 'settings'
  const tabs = [
    { key: '', label: '全部' },
    { key: 'unread', label: unread?.Count ? `未读 ${badge(unread.Count)}` : '未读' },
    { key: 'settings', label: '通知设置' },
  ]
  return (
    <Page
      title="消息通知"
      extra={
        isList && (
          <Button
            disabled={!unread?.Count}
            loading={readAll.isPending}
            onClick={() =>
              readAll.mutate(undefined, { onSuccess: () => toast.success('全部消息已标为已读') })
            }
          >
            全部标为已读
          </Button>
        )
      }
      tabs={
        <Tabs
          label="消息"
          tabs={tabs}
          value={filters.View}
          onChange={(key) => setFilters({ View: key as NoticeFilters['View'], Section: undefined })}
        />
      }
    >
      {isList ? (
        <>
          <Sections value={filters.Section} onChange={setFilters} />
          <List filters={filters} onChange={setFilters} />
        </>
      ) : (
        <Settings />
      )}
    </Page>
  )
}
