import { yuan } from '@/lib/money'
import { cx } from '@/ui/cx'
import type { ReportHead } from './api'
import { hasPrevious } from './columns'
import styles from './reports.module.css'

type Change = ReportHead['Previous']

const days = ({ From, To }: Pick<Change, 'From' | 'To'>): string => `${From} 至 ${To}`

/** The change as text with a sign, so that colour is not the only hint. */
function ChangeOf({ name, change }: { name: string; change: Change }) {
  const percent = change.Change
  const hasMore = percent !== null && Number(percent) > 0
  return (
    <span className={styles.change} title={`${name}：${days(change)} ${yuan(change.Amount)}`}>
      {name}
      {percent === null ? (
        <i>无可比数据</i>
      ) : (
        <b
          className={cx(Number(percent) !== 0 && (hasMore ? styles.more : styles.less))}
        >{`${hasMore ? '↑ ' : Number(percent) < 0 ? '↓ ' : ''}${Math.abs(Number(percent)).toFixed(1)}%`}</b>
      )}
    </span>
  )
}

const Figure = ({ name, children }: { name: string; children: string }) => (
  <div className={styles.kpi}>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
)

/** The totals of all rows, with the totals of the compared periods. */
export const Kpis = ({ head }: { head: ReportHead }) => (
  <dl className={styles.kpis}>
    <div className={cx(styles.kpi, styles.main)}>
      <dt>含税金额</dt>
      <dd>{yuan(head.Totals.Amount)}</dd>
      <dd className={styles.changes}>
        {hasPrevious(head) && <ChangeOf name="环比" change={head.Previous} />}
        <ChangeOf name="同比" change={head.LastYear} />
      </dd>
    </div>
    <Figure name="不含税金额">{yuan(head.Totals.NetAmount)}</Figure>
    <Figure name="税额">{yuan(head.Totals.TaxAmount)}</Figure>
    <Figure name="数量">{head.Totals.Quantity.toLocaleString('en-US')}</Figure>
    <Figure name="订单数">{head.Totals.Orders.toLocaleString('en-US')}</Figure>
  </dl>
)
