import { useQuery } from '@tanstack/react-query'
import { useRef } from 'react'
import { onIntent } from '@/ui/intent'
import { ErrorState, Loading } from '@/ui/States'
import { scenarios, useSelect } from './api'
import type { Answered, Goal } from './Baskets'
import { CUSTOM, getForm, toBody, type ScenarioForm as Form } from './form'
import { useTabState } from './tabState'
import type { Line } from './lines'
import { ScenarioForm } from './ScenarioForm'
import styles from './select.module.css'
import { Solving } from './Solving'

const { Part: Baskets, ready } = onIntent(
  () => import(/* webpackChunkName: "select-baskets" */ './Baskets'),
)

/** The form for headcount and budget. The result is a basket and its variants. */
export function ScenarioPlanner({ uid }: { uid: string }) {
  const { data, error, refetch } = useQuery(scenarios(uid))
  const [form, setForm] = useTabState<Form | null>(uid, 'form', null)
  const [answered, setAnswered] = useTabState<Answered | null>(uid, 'plans', null)
  const [goal, setGoal] = useTabState<Goal>(uid, 'goal', 'best')
  const [edited, setEdited] = useTabState<Partial<Record<Goal, Line[]>>>(uid, 'edits', {})
  const select = useSelect()
  const result = useRef<HTMLElement>(null)
  if (!data && error) return <ErrorState error={error} onRetry={() => void refetch()} />
  if (!data) return <Loading height={480} />
  const offered = [...data, CUSTOM]
  const shown = form ?? getForm(offered[0] ?? CUSTOM)
  const solve = (asked: Form): void => {
    void ready()
    setForm(asked)
    select.mutate(toBody(asked), {
      onSuccess: (answer) => {
        setAnswered({ answer, budget: asked.budget, heads: asked.heads, asked: toBody(asked) })
        setGoal('best')
        setEdited({})
        result.current?.scrollIntoView({ block: 'start' })
      },
    })
  }
  return (
    <div className={styles.way}>
      <ScenarioForm
        scenarios={offered}
        form={shown}
        onChange={setForm}
        onSolve={() => solve(shown)}
        isBusy={select.isPending}
        error={select.error}
      />
      <section
        ref={result}
        className={styles.result}
        aria-label="选品方案"
        aria-busy={select.isPending}
      >
        {select.isPending && (
          <Solving
            text={`正在为 ${shown.heads} 人在 ¥${shown.budget} 内配齐 ${shown.kinds.filter(({ on }) => on).length} 种商品…`}
          />
        )}
        {!select.isPending && !answered && <Intro />}
        {!select.isPending && answered && (
          <Baskets
            answered={answered}
            goal={goal}
            onGoal={setGoal}
            edited={edited}
            onEdited={setEdited}
            form={shown}
            onSolve={solve}
          />
        )}
      </section>
    </div>
  )
}

const STEPS = [
  '选一个场景，或自己写要配的商品',
  '填写人数和含税预算，勾选品类',
  '得到推荐方案，和更省、更知名、品牌更少三种搭配',
]

const Intro = () => (
  <div className={styles.intro}>
    <h2>方案会出现在这里</h2>
    <ol>
      {STEPS.map((step) => (
        <li key={step}>{step}</li>
      ))}
    </ol>
    <p>数量都符合起订量、增量与库存，总价含运费不超过预算</p>
  </div>
)
