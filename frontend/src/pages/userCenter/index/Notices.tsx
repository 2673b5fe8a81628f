import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router-dom'
import { notices, useRead, type Notice } from '@/domain/notices/notices'
import { paths } from '@/lib/paths'
import { formatTime } from '@/lib/time'
import { Button } from '@/ui/Button'
import { Loading } from '@/ui/States'
import styles from './workbench.module.css'

const MAX_NOTICES = 5
/** The smallest page size of the server. */
const newest = notices({ PageIndex: 1, PageSize: 10 })

function One({
  notice: { Id, Title, Link: to, CreatedAt, ReadAt },
  onRead,
}: {
  notice: Notice
  onRead: (id: string) => void
}) {
  return (
    <li className={styles.notice} data-unread={ReadAt === null}>
      <Link to={to || paths.notices()} onClick={() => ReadAt === null && onRead(Id)}>
        {ReadAt === null && <span className="visually-hidden">未读：</span>}
        {Title}
      </Link>
      <time dateTime={CreatedAt}>{formatTime(CreatedAt)}</time>
    </li>
  )
}

/** The latest notices. They load after the workbench, so that they do not delay it. */
export function Notices() {
  const { data, error, refetch } = useQuery(newest)
  const { mutate: read } = useRead()
  return (
    <section className={styles.card} aria-label="消息">
      <header>
        <h2>消息</h2>
        <Link className="touch" to={paths.notices()}>
          全部消息
        </Link>
      </header>
      {!data && !error && <Loading height={120} />}
      {!data && error && (
        <p className={styles.quiet} role="alert">
          消息没有加载出来
          <Button look="text" size="s" onClick={() => void refetch()}>
            重新加载
          </Button>
        </p>
      )}
      {data?.Items.length === 0 && <p className={styles.quiet}>还没有消息</p>}
      <ul>
        {data?.Items.slice(0, MAX_NOTICES).map((notice) => (
          <One key={notice.Id} notice={notice} onRead={(id) => read([id])} />
        ))}
      </ul>
    </section>
  )
}
