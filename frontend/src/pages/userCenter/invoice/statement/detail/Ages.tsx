import type { StatementDetail } from '@/domain/invoices/statements'
import { sum, toFen, yuan } from '@/lib/money'
import { cx } from '@/ui/cx'
import styles from './detail.module.css'

/** The enterprise's open amount today, by age. */
export function Ages({ data }: { data: StatementDetail }) {
  const overdue = sum(
    data.Ages.filter(({ Code }) => Code !== 'not_due').map(({ Amount }) => Amount),
  )
  const owed = sum(data.Ages.map(({ Amount }) => Amount))
  return (
    <section className={styles.card} aria-label="应付账龄">
      <h2>
        应付账龄{' '}
        <small>
          截至今天已签收未付清的货款，不限本期 · 账期 {data.CreditDays} 天，自签收之日起算
        </small>
      </h2>
      <ul className={styles.ages}>
        {data.Ages.map(({ Code, Name, Amount }) => (
          <li key={Code} className={cx(Code !== 'not_due' && toFen(Amount) > 0 && styles.late)}>
            <span>{Name}</span>
            <b>{yuan(Amount)}</b>
          </li>
        ))}
      </ul>
      <p className={styles.owed}>
        当前应付 <b>{yuan(owed)}</b>
        {toFen(overdue) > 0 && (
          <>
            ，其中逾期 <b className={styles.bad}>{yuan(overdue)}</b>
          </>
        )}
        {toFen(data.Prepaid) > 0 && (
          <small>
            已付款待收货 {yuan(data.Prepaid)}，抵减后净应付 {yuan(sum([owed, `-${data.Prepaid}`]))}
            ，与对账单的期末应付同口径
          </small>
        )}
      </p>
    </section>
  )
}
