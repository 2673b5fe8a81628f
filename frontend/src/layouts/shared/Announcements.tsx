import { queryOptions, useQuery } from '@tanstack/react-query'
import { call } from '@/api/call'
import { selectFor, type Audience } from '@/lib/boot'
import { useSession } from '@/lib/session'
import { formatDate } from '@/lib/time'
import { Dialog } from '@/ui/Dialog'
import { Empty, ErrorState, Skeleton } from '@/ui/States'
import styles from './Announcements.module.css'

const announcements = queryOptions({
  queryKey: ['announcements'],
  queryFn: ({ signal }) => call('get', '/api/Content/Announcements', { signal, quiet: true }),
})

/** All current announcements. The first one is open. */
export default function Announcements({ onClose }: { onClose: () => void }) {
  const person = useSession()
  const { data, error, refetch } = useQuery(announcements)
  const rows = selectFor(
    (data ?? []).map((row) => ({ ...row, For: row.For as Audience })),
    person !== null,
  )
  return (
    <Dialog title="公告" open onClose={onClose} width={640}>
      {error && !data && <ErrorState error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Skeleton height={160} />}
      {data && rows.length === 0 && <Empty icon="horn" title="暂无公告" />}
      <div className={styles.list}>
        {rows.map(({ Id, Title, Text, Url, At }, index) => (
          <details key={Id} open={index === 0}>
            <summary>
              <b>{Title}</b>
              <time dateTime={At}>{formatDate(At)}</time>
            </summary>
            <p>{Text}</p>
            {Url && <a href={Url}>查看详情</a>}
          </details>
        ))}
      </div>
    </Dialog>
  )
}
