import type { RuleProblem } from '@/domain/approvals/rules'
import { cx } from '@/ui/cx'
import { Icon } from '@/ui/Icon'
import styles from './rules.module.css'

const LEVELS = { stop: '无人审批或不会触发', warn: '请留意', info: '说明' } as const

/** The problems of the rule, most severe first. Missing input comes before them. */
export function Problems({
  todo,
  rows,
  refusal,
  isChecking,
}: {
  todo: readonly string[]
  rows: readonly RuleProblem[] | undefined
  refusal: string | null
  isChecking: boolean
}) {
  if (refusal)
    return (
      <p className={cx(styles.problem, styles.stop)} role="alert">
        <Icon name="warn" size={16} />
        {refusal}
      </p>
    )
  if (todo.length) return <p className={styles.hint}>还需：{todo.join('；')}</p>
  if (!rows) return <p className={styles.hint}>{isChecking ? '正在检查规则…' : ''}</p>
  if (!rows.length)
    return (
      <p className={cx(styles.problem, styles.fine)}>
        <Icon name="check" size={16} />
        检查通过，没有发现无人审批或重复的情况
      </p>
    )
  return (
    <ul aria-label="规则检查" aria-busy={isChecking} className={styles.problems}>
      {rows.map(({ Level, Code, Message, Step }) => (
        <li key={`${Code}-${Step ?? 0}-${Message}`} className={cx(styles.problem, styles[Level])}>
          <Icon name={Level === 'info' ? 'info' : 'warn'} size={16} label={LEVELS[Level]} />
          {Step !== null && `第 ${Step} 步：`}
          {Message}
        </li>
      ))}
    </ul>
  )
}
