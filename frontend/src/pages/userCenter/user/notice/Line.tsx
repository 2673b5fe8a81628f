import { Link } from 'react-router-dom'
import type { Notice } from '@/domain/notices/notices'
import { formatTime } from '@/lib/time'
import { Button } from '@/ui/Button'
import { cx } from '@/ui/cx'
import { Tag } from '@/ui/Small'
import styles from './notice.module.css'

/** One notice. A click opens its subject and marks the notice as read. */
export function Line({
  notice,
  isBusy,
  onRead,
}: {
  notice: Notice
  isBusy: boolean
  onRead: () => void
}) {
  const isNew = !notice.ReadAt
  const title = notice.Link ? (
    <Link to={notice.Link} onClick={() => isNew && onRead()}>
      {notice.Title}
    </Link>
  ) : (
    notice.Title
  )
  return (
    <li className={cx(isNew && styles.fresh)}>
      <Tag tone={notice.NeedsAct && isNew ? 'brand' : 'plain'}>{notice.KindText}</Tag>
      <div className={styles.words}>
        <h2>{title}</h2>
        {notice.Text && <p>{notice.Text}</p>}
      </div>
      <time dateTime={notice.CreatedAt}>{formatTime(notice.CreatedAt)}</time>
      <span className={styles.act}>
        {isNew ? (
          <Button
            size="s"
            disabled={isBusy}
            aria-label={`标为已读：${notice.Title}`}
            onClick={onRead}
          >
            标为已读
          </Button>
        ) : (
          '已读'
        )}
      </span>
    </li>
  )
}
