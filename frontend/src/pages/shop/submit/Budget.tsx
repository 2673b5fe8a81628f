import { isRefused, type CheckoutForm, type Preview } from '@/domain/cart/checkout'
import { subtractInFen, toFen, yuan } from '@/lib/money'
import { cx } from '@/ui/cx'
import { Field, Select } from '@/ui/Field'
import { Icon } from '@/ui/Icon'
import { getChosen, getProblem, type Set } from './form'
import styles from './submit.module.css'

const OVER_EFFECT: Readonly<Record<string, string>> = {
  warn: '仍可提交',
  approve: '需要审批',
  block: '不能提交',
}
const overText = (policy: string): string => `超出预算，${OVER_EFFECT[policy] ?? ''}`

/** The text for a budget that covers the order. */
const COVERED_TEXT: Readonly<Record<string, string>> = {
  near: '下单后预算已用 80% 以上',
  full: '下单后预算全部用完',
}

/** The percentage of the available amount that remains, 0 to 100. */
const shareOf = (after: string, available: string): number =>
  toFen(available) > 0 ? Math.max(0, Math.min(100, (toFen(after) / toFen(available)) * 100)) : 0

/** The earmarked budgets (专项预算) that lines of the order use, and the budgets above them. */
function Earmarks({ rows }: { rows: Preview['Earmarks'] }) {
  if (!rows.length) return null
  return (
    <ul className={styles.earmarks} aria-label="专项预算">
      {rows.map(({ Id, Name, EarmarkText, UsedName, Taken, Available, After, IsOver, Policy }) => (
        <li key={Id}>
          <b>
            {UsedName ? '上级专项' : '专项'}“{Name}”
          </b>
          <small>
            {EarmarkText} · 可用 {yuan(Available)} · 本单计入 {yuan(Taken)}
          </small>
          <span className={cx(IsOver && styles.over)}>
            {IsOver
              ? `超出 ${yuan(After.replace('-', ''))}，${OVER_EFFECT[Policy] ?? ''}`
              : `下单后剩余 ${yuan(After)}`}
          </span>
        </li>
      ))}
    </ul>
  )
}

/**
 * The available budget before and after the order. The selection shows at once; its figures show
 * after the preview.
 */
export function Budget({ form, shown, set }: { form: CheckoutForm; shown: Preview; set: Set }) {
  const { Budget: budget, Budgets: all, Amounts: amounts } = shown
  if (!budget)
    return (
      <section aria-label="预算">
        <h2>
          <Icon name="wallet" />
          预算
        </h2>
        <p className={styles.quiet}>您没有可用的预算，本单不占用预算</p>
        <Earmarks rows={shown.Earmarks} />
      </section>
    )
  const isOver = subtractInFen(budget.After, '0.00') < 0
  const share = shareOf(budget.After, budget.Available)
  // The full error is shown above, and the parents below.
  const refusesAbove = budget.Parents.some(({ IsOver, Policy }) => IsOver && Policy === 'block')
  const problem =
    isRefused(shown) && (isOver || refusesAbove)
      ? isOver
        ? overText('block')
        : '上级预算不足，不能提交'
      : getProblem(shown, 'BudgetId')
  return (
    <section aria-label="预算" id="choice-BudgetId" tabIndex={-1}>
      <h2>
        <Icon name="wallet" />
        预算
      </h2>
      {all.length > 1 ? (
        <Field label="使用预算" error={problem} hint={`可用 ${yuan(budget.Available)}`}>
          <Select
            value={getChosen(form.BudgetId, all, budget.Id) ?? ''}
            options={all.map(({ Id, Name }) => ({ value: Id, label: Name }))}
            onChange={(BudgetId) => set({ BudgetId })}
          />
        </Field>
      ) : (
        <>
          <p className={styles.quiet}>{budget.Name}</p>
          {problem && (
            <p className={styles.problem} role="alert">
              {problem}
            </p>
          )}
        </>
      )}
      <dl className={styles.figures}>
        <dt>下单前可用</dt>
        <dd>{yuan(budget.Available)}</dd>
        <dt>本单占用</dt>
        <dd>{yuan(amounts.Total)}</dd>
        <dt>{isOver ? '超出' : '下单后剩余'}</dt>
        <dd className={cx(styles.after, isOver && styles.over)}>
          {yuan(budget.After.replace('-', ''))}
        </dd>
      </dl>
      <span
        className={cx(styles.meter, isOver && styles.full)}
        role="img"
        aria-label={isOver ? '预算不足' : `下单后剩余 ${Math.round(share)}%`}
      >
        <i style={{ width: isOver ? '100%' : `${share}%` }} />
      </span>
      {budget.Parents.map(({ Id, Name, After, IsOver, Policy }) => (
        <p key={Id} className={IsOver ? styles.over : styles.quiet}>
          上级“{Name}”下单后
          {IsOver
            ? `超出 ${yuan(After.replace('-', ''))}，${OVER_EFFECT[Policy] ?? ''}`
            : `剩余 ${yuan(After)}`}
        </p>
      ))}
      {isOver && !problem && <p className={styles.over}>{overText(budget.Policy)}</p>}
      {!isOver && COVERED_TEXT[budget.State] && (
        <p className={styles.near}>{COVERED_TEXT[budget.State]}</p>
      )}
      <Earmarks rows={shown.Earmarks} />
    </section>
  )
}
