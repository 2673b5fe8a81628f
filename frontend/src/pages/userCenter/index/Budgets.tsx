import { Link } from 'react-router-dom'
import { Gauge } from '@/domain/budgets/Gauge'
import { budgetsAt, getState } from '@/domain/budgets/state'
import type { Workbench } from '@/domain/orders/workbench'
import { toFen, yuan } from '@/lib/money'
import { paths } from '@/lib/paths'
import { Tag } from '@/ui/Small'
import styles from './workbench.module.css'

type Row = Workbench['Budgets'][number]

function Budget({ row, isLeading }: { row: Row; isLeading: boolean }) {
  const state = getState(row)
  return (
    <li className={styles.budget}>
      <p>
        {isLeading ? (
          <Link className="touch" to={budgetsAt({ Keyword: row.Name })}>
            {row.Name}
          </Link>
        ) : (
          row.Name
        )}
        {row.State !== 'normal' && <Tag tone={state.tone}>{state.text}</Tag>}
        <small>
          {row.PeriodFrom} 至 {row.PeriodTo}
        </small>
      </p>
      <p className={styles.left}>
        可用{' '}
        <b className={toFen(row.Available) < 0 ? styles.over : undefined}>{yuan(row.Available)}</b>
        <small>额度 {yuan(row.Amount)}</small>
      </p>
      <Gauge row={row} />
    </li>
  )
}

/** The number of budgets per state. Each links to its budgets. */
function Totals({ totals: { Near, Full } }: { totals: NonNullable<Workbench['BudgetTotals']> }) {
  if (Near + Full === 0) return null
  return (
    <p className={styles.alerts}>
      {Full > 0 && (
        <Link
          className={styles.full}
          to={budgetsAt({ State: 'full' })}
        >{`${Full} 个预算已用完`}</Link>
      )}
      {Near > 0 && (
        <Link
          className={styles.near}
          to={budgetsAt({ State: 'near' })}
        >{`${Near} 个预算已用 80% 以上`}</Link>
      )}
    </p>
  )
}

/** The budgets that the user orders on, then the most used of those he manages. */
export function Budgets({
  rows,
  totals,
}: {
  rows: readonly Row[]
  totals: Workbench['BudgetTotals']
}) {
  return (
    <section className={styles.card} aria-label="预算">
      <header>
        <h2>预算</h2>
        {totals && (
          <Link className="touch" to={paths.budgets()}>
            {totals.Count > rows.length ? `全部 ${totals.Count} 个` : '预算余额'}
          </Link>
        )}
      </header>
      {totals && <Totals totals={totals} />}
      {!rows.length && <p className={styles.quiet}>没有可用的预算</p>}
      {rows.length > 0 && (
        <p className={styles.legend}>
          <span>
            <i />
            已使用
          </span>
          <span>
            <i />
            已预占
          </span>
        </p>
      )}
      <ul>
        {rows.map((row) => (
          <Budget key={row.Id} row={row} isLeading={totals !== null} />
        ))}
      </ul>
    </section>
  )
}
