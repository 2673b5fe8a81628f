import type { Preview } from '@/domain/cart/checkout'
import { paths } from '@/lib/paths'
import { Button, ButtonLink } from '@/ui/Button'
import { Icon } from '@/ui/Icon'
import { Tag } from '@/ui/Small'
import { goTo } from './form'
import styles from './submit.module.css'

type Step = Preview['Approval']['Chain'][number]

const namesOf = (step: Step): string =>
  step.IsForStaff ? '平台客服' : step.Approvers.map(({ Name }) => Name).join('、') || '自动跳过'

/** The first approver, for the text that the screen reader announces. */
export const getFirst = ({ Chain: [first] }: Preview['Approval']): string =>
  first ? namesOf(first) : ''

function ApprovalStepItem({ step }: { step: Step }) {
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

/** Whether the order needs approval, why, and by whom. Shown before submit. */
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
              <ApprovalStepItem key={step.Step} step={step} />
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

/** The alternatives if a limit blocks the order, by the field that the error names. */
const ALTERNATIVES: Readonly<Record<string, string>> = {
  BudgetId: '更换预算',
  PaymentKind: '更换付款方式',
}

/** Shown instead of the approval: an order above a blocking limit does not go to an approver. */
export function Refused({ shown, quotationNo }: { shown: Preview; quotationNo: string }) {
  const refusals = shown.Problems.filter(({ IsRefusal }) => IsRefusal)
  const others = refusals
    .map(({ Field }) => Field)
    .filter((field) => field !== 'BudgetId' || shown.Budgets.length > 1)
  return (
    <section aria-label="不能提交">
      <h2>
        <Icon name="warn" />
        本单不能提交
      </h2>
      <ul className={styles.refusals}>
        {refusals.map(({ Field, Message }) => (
          <li key={Field}>{Message}</li>
        ))}
      </ul>
      <p className={styles.ways}>
        {others.map((field) => (
          <Button key={field} size="s" onClick={() => goTo(`choice-${field}`)}>
            {ALTERNATIVES[field]}
          </Button>
        ))}
        <ButtonLink to={quotationNo ? paths.quotation(quotationNo) : paths.cart()} size="s">
          {quotationNo ? '返回报价单' : '返回购物车减少商品'}
        </ButtonLink>
      </p>
    </section>
  )
}
