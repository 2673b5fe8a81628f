import type { Selection } from '@/api/schema'
import type { SelectionRequest } from './api'
import { toBody, type ScenarioForm } from './form'
import { yuan } from '@/lib/money'
import { linesOfPlan, type Line } from './lines'
import { Plans } from './Plans'
import { Result } from './Result'
import styles from './select.module.css'
import { Unfit } from './Unfit'

export type Goal = Selection['Plans'][number]['Goal']

/** The request and its answer. */
export interface Answered {
  answer: Selection
  budget: string
  heads: string
  /** The full request, as sent. */
  asked?: SelectionRequest
}

interface Props {
  answered: Answered
  goal: Goal
  onGoal: (goal: Goal) => void
  edited: Partial<Record<Goal, Line[]>>
  onEdited: (edited: Partial<Record<Goal, Line[]>>) => void
  form: ScenarioForm
  onSolve: (form: ScenarioForm) => void
}

/**
 * The baskets of a scenario, with one open, or the reason why there is none. The code loads while
 * the server computes.
 */
export default function Baskets({
  answered: { answer, budget, heads, asked },
  goal,
  onGoal,
  edited,
  onEdited,
  form,
  onSolve,
}: Props) {
  const plan = answer.Plans.find(({ Goal: one }) => one === goal)
  // The result belongs to the sent request, not to the current form.
  const outdated = asked && JSON.stringify(asked) !== JSON.stringify(toBody(form)) && (
    <p className={styles.outdated} role="status">
      条件已修改，下面是按修改前的条件（{heads} 人、预算 {yuan(budget)}）得出的结果，重新生成后更新
    </p>
  )
  if (!plan)
    return (
      <>
        {outdated}
        <Unfit answer={answer} form={form} onSolve={onSolve} />
      </>
    )
  return (
    <>
      {outdated}
      <Plans plans={answer.Plans} goal={goal} heads={Number(heads)} onGoal={onGoal} />
      <Result
        key={goal}
        items={answer.Items}
        lines={edited[goal] ?? linesOfPlan(plan)}
        onLines={(lines) => onEdited({ ...edited, [goal]: lines })}
        budget={budget}
        freight={plan.Freight}
      />
    </>
  )
}
