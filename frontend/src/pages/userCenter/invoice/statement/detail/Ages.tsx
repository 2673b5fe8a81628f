import { DocumentCard } from '@/desk/DocumentPage'
import type { StatementDetail } from '@/domain/invoices/statements'
import { sum, toFen, yuan } from '@/lib/money'
import { cx } from '@/ui/cx'
import styles from './detail.module.css'

type Closing = NonNullable<StatementDetail['ClosingDebt']>

/** The open amount on the last day of the statement's month, by age. It stays as it is. */
function ClosingAges({ debt, closing }: { debt: Closing; closing: string }) {
  return (
    <DocumentCard title="账期末账龄" note={`截至 ${debt.Day}，与本单期末应付一致`}>
      <ul className={styles.ages}>
        {debt.Ages.map(({ Code, Name, Amount }) => (
          <li key={Code} className={cx(Code !== 'not_due' && toFen(Amount) > 0 && styles.late)}>
            <span>{Name}</span>
            <b>{yuan(Amount)}</b>
          </li>
        ))}
      </ul>
      <p className={styles.owed}>
        期末应付 <b>{yuan(closing)}</b>
        {toFen(debt.Prepaid) > 0 && <small>已抵减已付款待收货 {yuan(debt.Prepaid)}</small>}
      </p>
    </DocumentCard>
  )
}

/** The ages at the end of the statement's month, and those of today, each with its day. */
export const Ages = ({ data }: { data: StatementDetail }) => (
  <>
    {data.ClosingDebt && <ClosingAges debt={data.ClosingDebt} closing={data.Closing} />}
    <AgesToday data={data} />
  </>
)

function AgesToday({ data }: { data: StatementDetail }) {
  const overdue = sum(
    data.Ages.filter(({ Code }) => Code !== 'not_due').map(({ Amount }) => Amount),
  )
  const owed = sum(data.Ages.map(({ Amount }) => Amount))
  return (
    <DocumentCard
      title="今天的应付账龄"
      label="应付账龄"
      note={`截至今天已签收未付清的货款，不限本期 · 账期 ${data.CreditDays} 天，自签收之日起算`}
    >
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
        {data.Status === 'running' && (
          <small>
            账龄实时计算，未出账的对账单每小时汇总一次：刚自动签收的商品先计入账龄，一小时内计入期末应付
          </small>
        )}
      </p>
    </DocumentCard>
  )
}
