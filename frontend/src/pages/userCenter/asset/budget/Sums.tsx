import { cx } from '@/ui/cx'
import { toFen, yuan } from '@/lib/money'
import type { Summary } from './api'
import styles from './budget.module.css'

/**
 * The sums of the whole list, and the number of budgets that need attention. A click filters the
 * list by them.
 */
export function Sums({
  sums,
  onState,
}: {
  sums: Summary | undefined
  onState: (state: 'near' | 'full') => void
}) {
  const figures = [
    ['额度合计', sums?.Amount],
    ['已使用', sums?.Consumed],
    ['已预占', sums?.Reserved],
    ...(sums && toFen(sums.Held) > 0 ? [['调出待审', sums.Held] as const] : []),
    ['可用', sums?.Available],
  ] as const
  return (
    <section className={styles.sums} aria-label="合计">
      <dl>
        {figures.map(([name, money]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd className={cx(money !== undefined && toFen(money) < 0 && styles.over)}>
              {money === undefined ? '—' : yuan(money)}
            </dd>
          </div>
        ))}
      </dl>
      {sums !== undefined && sums.Near + sums.Full > 0 && (
        <p className={styles.alerts}>
          {sums.Full > 0 && (
            <button type="button" className={styles.full} onClick={() => onState('full')}>
              {sums.Full} 个预算已用完
            </button>
          )}
          {sums.Near > 0 && (
            <button type="button" className={styles.near} onClick={() => onState('near')}>
              {sums.Near} 个预算已用 80% 以上
            </button>
          )}
        </p>
      )}
    </section>
  )
}
