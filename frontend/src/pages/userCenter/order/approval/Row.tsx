import { Link } from 'react-router-dom'
import { StatusTag } from '@/desk/StatusTag'
import type { Approval } from '@/domain/approvals/approvals'
import { yuan } from '@/lib/money'
import { useSession } from '@/lib/session'
import { formatTime } from '@/lib/time'
import { cx } from '@/ui/cx'
import { Checkbox } from '@/ui/Choice'
import styles from './approval.module.css'
import { standingInFor } from './standIn'
import { getTone } from './tones'
import { Waited } from './Waited'

interface Props {
  row: Approval
  to: string
  isOpen: boolean
  /** Null without a task to decide. */
  isTicked: boolean | null
  onTick: (isOn: boolean) => void
}

/** One approval in the list: requester, order, amount, reason and represented person. */
export function Row({ row, to, isOpen, isTicked, onTick }: Props) {
  const isAsked =
    row.Status === 'pending' &&
    row.Steps.some(({ Status, AskedAt }) => Status === 'active' && AskedAt)
  const uid = useSession()?.User.uid
  const away = row.AllowedActions.includes('approve') ? standingInFor(row, uid) : ''
  return (
    <article className={cx(styles.row, isOpen && styles.open)}>
      {isTicked !== null && (
        <Checkbox checked={isTicked} label={`选择 ${row.SubjectNo}`} onChange={onTick} />
      )}
      <Link to={to} aria-current={isOpen ? 'true' : undefined}>
        <span>
          <b>{row.Requester.Name}</b>
          <strong>{yuan(row.Amount)}</strong>
        </span>
        <span>
          <small>{row.SubjectNo}</small>
          {isAsked ? (
            <StatusTag text="待申请人答复" tone="warn" />
          ) : (
            isTicked === null && <StatusTag text={row.StatusText} tone={getTone(row.Status)} />
          )}
          {isTicked !== null && !isAsked && (row.Waiting?.Hours ?? 0) >= 1 && (
            <Waited wait={row.Waiting} />
          )}
        </span>
        <span>
          <small className={styles.from}>
            {row.Department && `${row.Department} · `}
            {formatTime(row.CreatedAt)}
          </small>
          {away && <small className={styles.standIn}>代 {away}</small>}
        </span>
        <small className={styles.reason}>{row.Reasons[0]}</small>
      </Link>
    </article>
  )
}
