import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { Link, useLocation } from 'react-router-dom'
import { badge } from '@/domain/cart/cart'
import { notices, unreadCount, useRead, type Notice } from '@/domain/notices/notices'
import { paths } from '@/lib/paths'
import { useSession } from '@/lib/session'
import { formatTime } from '@/lib/time'
import { cx } from '@/ui/cx'
import { ErrorState, Loading } from '@/ui/States'
import styles from './Bell.module.css'
import { Drop } from './Drop'

const MAX_NOTICES = 5

/** The number of unread notices. A page change refetches it, at most once a minute. */
function Unread() {
  const uid = useSession()?.User.uid ?? ''
  const client = useQueryClient()
  const { pathname } = useLocation()
  const { data } = useQuery({ ...unreadCount(uid), enabled: uid !== '' })
  useEffect(() => {
    void client.refetchQueries({ queryKey: ['notices', 'count'], type: 'active', stale: true })
  }, [client, pathname])
  return data?.Count ? <span className={styles.badge}>{badge(data.Count)}</span> : null
}

function Line({ notice, onOpen }: { notice: Notice; onOpen: () => void }) {
  return (
    <li className={cx(!notice.ReadAt && styles.fresh)}>
      <Link to={notice.Link || paths.notices()} onClick={onOpen}>
        <b>{notice.Title}</b>
        <small>
          {notice.KindText} · {formatTime(notice.CreatedAt)}
        </small>
      </Link>
    </li>
  )
}

/** The newest five notices. The notice page lists the rest. */
function Newest({ onLeave }: { onLeave: () => void }) {
  const { data, error, refetch } = useQuery({ ...notices({ PageSize: 10 }), staleTime: 0 })
  const read = useRead()
  const rows = data?.Items.slice(0, MAX_NOTICES) ?? []
  return (
    <div className={styles.panel}>
      <header>
        <b>消息</b>
        <button
          type="button"
          disabled={!data?.Items.some(({ ReadAt }) => !ReadAt) || read.isPending}
          onClick={() => read.mutate(undefined)}
        >
          全部标为已读
        </button>
      </header>
      {error && !data && <ErrorState error={error} onRetry={() => void refetch()} />}
      {!error && !data && <Loading height={200} />}
      {data && rows.length === 0 && <p className={styles.empty}>还没有消息</p>}
      <ul>
        {rows.map((notice) => (
          <Line
            key={notice.Id}
            notice={notice}
            onOpen={() => {
              if (!notice.ReadAt) read.mutate([notice.Id])
              onLeave()
            }}
          />
        ))}
      </ul>
      <footer>
        <Link to={paths.notices()} onClick={onLeave}>
          查看全部
        </Link>
        <Link to={paths.notices({ View: 'settings' })} onClick={onLeave}>
          通知设置
        </Link>
      </footer>
    </div>
  )
}

const ignoreError = (): void => undefined

/** 消息 in the top bar: the unread count, with the newest notices in the panel. */
export function Bell() {
  return (
    <Drop
      className={styles.bell}
      ready={ignoreError}
      label={
        <>
          消息
          <Unread />
        </>
      }
    >
      {(close) => <Newest onLeave={close} />}
    </Drop>
  )
}
