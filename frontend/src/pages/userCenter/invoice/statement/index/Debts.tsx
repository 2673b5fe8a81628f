import { useQuery } from '@tanstack/react-query'
import { debts, type DebtRow } from '@/domain/invoices/statements'
import { sum, toFen, yuan } from '@/lib/money'
import { cx } from '@/ui/cx'
import styles from './statements.module.css'

const isLate = ({ Code, Amount }: DebtRow['Ages'][number]): boolean =>
  Code !== 'not_due' && toFen(Amount) > 0

/** Today's open amounts by age, one row per enterprise. Empty without open amounts. */
export function Debts() {
  const { data } = useQuery(debts)
  const rows = data?.filter(({ Total }) => toFen(Total) > 0) ?? []
  if (!rows.length) return null
  const total = sum(rows.map(({ Total }) => Total))
  const overdue = sum(rows.map(({ Overdue }) => Overdue))
  const prepaid = sum(rows.map(({ Prepaid }) => Prepaid))
  return (
    <section className={styles.debts} aria-label="应付账龄">
      <h2>
        应付账龄
        <small>
          截至今天应付 {yuan(total)}
          {toFen(overdue) > 0 && (
            <>
              ，其中逾期 <b>{yuan(overdue)}</b>
            </>
          )}
          {toFen(prepaid) > 0 &&
            `；另有已付款待收货 ${yuan(prepaid)}，抵减后净应付 ${yuan(sum([total, `-${prepaid}`]))}`}
        </small>
      </h2>
      <div className={styles.scroll} tabIndex={0} role="region" aria-label="应付账龄明细">
        <table>
          <thead>
            <tr>
              <th scope="col">企业</th>
              {rows[0]?.Ages.map(({ Code, Name }) => (
                <th key={Code} scope="col">
                  {Name}
                </th>
              ))}
              <th scope="col">合计</th>
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <tr key={row.EnterpriseId}>
                <th scope="row">
                  {row.EnterpriseName}
                  <small>账期 {row.CreditDays} 天</small>
                </th>
                {row.Ages.map((age) => (
                  <td key={age.Code} className={cx(isLate(age) && styles.late)}>
                    {yuan(age.Amount)}
                  </td>
                ))}
                <td>
                  <b>{yuan(row.Total)}</b>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  )
}
