import { subtractInFen, yuan } from '@/lib/money'
import { formatTime } from '@/lib/time'
import { cx } from '@/ui/cx'
import type { Amendment } from './approvals'
import styles from './talk.module.css'

interface Change {
  Name: string
  Before: string
  After: string
}

/** Figures, was → is; those that stay as they are are left out, the last is the sum. */
export function Figures({ rows }: { rows: readonly Change[] }) {
  return rows
    .filter(({ Before, After }) => subtractInFen(Before, After) !== 0)
    .map(({ Name, Before, After }) => (
      <div key={Name} className={cx(Name === '应付总额' && styles.sum)}>
        <dt>{Name}</dt>
        <dd>
          <s>{yuan(Before)}</s> → <b>{yuan(After)}</b>
        </dd>
      </div>
    ))
}

interface ReasonsProps {
  before: readonly string[]
  after: readonly string[]
}

/** The reasons that the lower quantities changed, was → is. */
export function Reasons({ before, after }: ReasonsProps) {
  const gone = before.filter((reason) => !after.includes(reason))
  const now = after.filter((reason) => !before.includes(reason))
  if (gone.length === 0 && now.length === 0) return null
  return (
    <ul aria-label="审批原因的变化">
      {gone.map((reason) => (
        <li key={reason}>
          原：<s>{reason}</s>
        </li>
      ))}
      {now.map((reason) => (
        <li key={reason}>现：{reason}</li>
      ))}
      {now.length === 0 && <li>现：这些原因已不再成立</li>}
    </ul>
  )
}

/** The quantities that approvers removed, by line and in total, with person, time and reason. */
export function Amendments({ rows }: { rows: readonly Amendment[] }) {
  return (
    <ol className={styles.amendments}>
      {rows.map(({ Id, At, By, ActingFor, Reason, Lines, Figures: figures, ...row }) => (
        <li key={Id}>
          <p>
            {By.Name}
            {ActingFor && ` 代 ${ActingFor.Name} `}调整了数量 <small>{formatTime(At)}</small>
          </p>
          <p>原因：{Reason}</p>
          <dl className={styles.changes}>
            {Lines.map(({ LineId, Name, Unit, Before, After }) => (
              <div key={LineId}>
                <dt>{Name}</dt>
                <dd>
                  <s>
                    {Before} {Unit}
                  </s>{' '}
                  → {After ? <b>{`${After} ${Unit}`}</b> : <b className={styles.gone}>移除</b>}
                </dd>
              </div>
            ))}
            <Figures rows={figures} />
          </dl>
          <Reasons before={row.ReasonsBefore} after={row.ReasonsAfter} />
        </li>
      ))}
    </ol>
  )
}
