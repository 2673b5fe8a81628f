import type { Preview } from '@/domain/cart/checkout'
import { Icon } from '@/ui/Icon'
import { Tag } from '@/ui/Small'
import styles from './submit.module.css'

type Step = Preview['Approval']['Chain'][number]

const namesOf = (step: Step): string => (step.IsForStaff ? '平台客服' : step.Approvers.map(({ Name }) => Name).join('、') || '自动跳过')

/** Who approves first, for the sentence that is read out. */
export const firstOf = ({ Chain: [first] }: Preview['Approval']): string => (first ? namesOf(first) : '')

function Who({ step }: { step: Step }) {
  return (
    <li>
      <i>{step.Step}</i>
      <div>
        <b>{namesOf(step)}</b>
        {step.Approvers.length > 1 && <Tag>{step.Mode === 'all' ? '全部同意' : '任一人同意'}</Tag>}
        <small>{step.RuleName}</small>
        {step.Note && <small>{step.Note}</small>}
        {step.Skipped.map(({ Id, Name, Why }) => (
          <small key={Id}>
            {Name}：{Why}
          </small>
        ))}
      </div>
    </li>
  )
}

/** Whether it needs approval, why, and by whom: known before submit. */
export function Chain({ approval }: { approval: Preview['Approval'] }) {
  return (
    <section aria-label="审批">
      <h2>
        <Icon name="approve" />
        {approval.Needed ? '需要审批' : '无需审批'}
      </h2>
      {approval.Needed ? (
        <>
          <ul className={styles.reasons}>
            {approval.Reasons.map((reason) => (
              <li key={reason}>{reason}</li>
            ))}
          </ul>
          <ol className={styles.chain}>
            {approval.Chain.map((step) => (
              <Who key={step.Step} step={step} />
            ))}
            <li className={styles.end}>
              <i>
                <Icon name="check" size={14} />
              </i>
              <div>
                <b>客服确认并发货</b>
                <small>审批全部通过后</small>
              </div>
            </li>
          </ol>
        </>
      ) : (
        <p className={styles.quiet}>没有命中审批规则，提交后由客服直接确认</p>
      )}
    </section>
  )
}
