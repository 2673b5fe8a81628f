import type { Selection } from '@/api/schema'
import { formatMoney, fromFen, toFen, yuan } from '@/lib/money'
import { cx } from '@/ui/cx'
import styles from './select.module.css'

type Plan = Selection['Plans'][number]

interface Props {
  plans: readonly Plan[]
  goal: Plan['Goal']
  heads: number
  onGoal: (goal: Plan['Goal']) => void
}

function Card({
  plan,
  isOn,
  heads,
  onChoose,
}: {
  plan: Plan
  isOn: boolean
  heads: number
  onChoose: () => void
}) {
  return (
    <button
      type="button"
      role="radio"
      aria-checked={isOn}
      className={cx(styles.plan, plan.IsSame && styles.same)}
      onClick={onChoose}
    >
      <b>{plan.Name}</b>
      <span className={styles.figure}>
        <small>¥</small>
        {formatMoney(plan.Total)}
      </span>
      <span className={styles.facts}>
        人均 {yuan(fromFen(toFen(plan.Total) / Math.max(1, heads)))} · {plan.Brands.length} 个品牌
      </span>
      <span className={styles.explained}>{plan.Difference || plan.Aim}</span>
    </button>
  )
}

/**
 * The baskets side by side. Each shows its strength and its difference from the recommended one.
 */
export const Plans = ({ plans, goal, heads, onGoal }: Props) => (
  <div className={styles.plans} role="radiogroup" aria-label="方案">
    {plans.map((plan) => (
      <Card
        key={plan.Goal}
        plan={plan}
        isOn={plan.Goal === goal}
        heads={heads}
        onChoose={() => onGoal(plan.Goal)}
      />
    ))}
  </div>
)
