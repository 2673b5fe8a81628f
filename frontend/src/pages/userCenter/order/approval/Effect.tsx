import { Fragment } from 'react'
import type { DecidedOrder } from '@/domain/approvals/approvals'
import { subtractInFen, sum, yuan } from '@/lib/money'
import { formatDate } from '@/lib/time'
import { cx } from '@/ui/cx'
import styles from './approval.module.css'

function Budget({ order: { Budget: budget, Earmarks } }: { order: DecidedOrder }) {
  return (
    <section aria-label="预算影响">
      <h3>预算影响</h3>
      {!budget && <p className={styles.none}>本单未使用预算</p>}
      {budget && (
        <>
          <p>
            {budget.Name}
            <small>
              {budget.PeriodFrom} 至 {budget.PeriodTo} · 额度 {yuan(budget.Amount)}
            </small>
          </p>
          <dl>
            <dt>不含本单可用</dt>
            <dd>{yuan(budget.Before)}</dd>
            <dt>本单占用</dt>
            <dd>{yuan(budget.Taken)}</dd>
            <dt>含本单可用</dt>
            <dd className={cx(subtractInFen(budget.After, '0.00') < 0 && styles.over)}>
              {yuan(budget.After)}
            </dd>
            {budget.Parents.map(({ Name, Available }) => (
              <Fragment key={Name}>
                <dt>上级“{Name}”含本单可用</dt>
                <dd className={cx(subtractInFen(Available, '0.00') < 0 && styles.over)}>
                  {yuan(Available)}
                </dd>
              </Fragment>
            ))}
          </dl>
        </>
      )}
      {Earmarks.map(({ Name, EarmarkText, UsedName, Amount, Before, Taken, After }) => (
        <Fragment key={Name}>
          <p>
            {UsedName ? '上级专项' : '专项'}“{Name}”
            <small>
              {EarmarkText} · 额度 {yuan(Amount)}
            </small>
          </p>
          <dl>
            <dt>不含本单可用</dt>
            <dd>{yuan(Before)}</dd>
            <dt>本单计入</dt>
            <dd>{yuan(Taken)}</dd>
            <dt>含本单可用</dt>
            <dd className={cx(subtractInFen(After, '0.00') < 0 && styles.over)}>{yuan(After)}</dd>
          </dl>
        </Fragment>
      ))}
    </section>
  )
}

function Month({
  order: { Month, SubmittedAt },
  amount,
  name,
}: {
  order: DecidedOrder
  amount: string
  name: string
}) {
  const [year, month] = formatDate(SubmittedAt).split('-')
  return (
    <section aria-label="申请人当月">
      <h3>申请人当月</h3>
      <p>
        {name}
        <small>
          {year} 年 {Number(month)} 月
        </small>
      </p>
      <dl>
        <dt>其他订单</dt>
        <dd>
          {Month.Orders} 单{Month.InApproval > 0 && `（${Month.InApproval} 单待审批）`}
        </dd>
        <dt>其他订单金额</dt>
        <dd>{yuan(Month.Amount)}</dd>
        <dt>含本单</dt>
        <dd>{yuan(sum([Month.Amount, amount]))}</dd>
      </dl>
    </section>
  )
}

/** The effect on the budget, and the requester's orders of this month. */
export function Effect({
  order,
  amount,
  name,
}: {
  order: DecidedOrder
  amount: string
  name: string
}) {
  return (
    <div className={styles.effect}>
      <Budget order={order} />
      <Month order={order} amount={amount} name={name} />
    </div>
  )
}
