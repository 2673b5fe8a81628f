import { DocumentCard } from '@/desk/DocumentPage'
import { StatusTag } from '@/desk/StatusTag'
import { Amendments } from '@/domain/approvals/Amendments'
import { Answering } from '@/domain/approvals/Answering'
import { useUrge } from '@/domain/approvals/approvals'
import type { OrderDetail } from '@/domain/orders/orders'
import { formatTime } from '@/lib/time'
import { Button } from '@/ui/Button'
import type { Tone } from '@/ui/Small'
import { cx } from '@/ui/cx'
import styles from './detail.module.css'

type Chain = NonNullable<OrderDetail['Approval']>

const TONES: Record<string, Tone> = {
  approved: 'good',
  rejected: 'bad',
  active: 'warn',
  pending: 'warn',
  skipped: 'plain',
}

/**
 * The approval of the order: reason, approvers, progress and amendments. The requester answers
 * questions here.
 */
export function Approval({ approval, isMine }: { approval: Chain; isMine: boolean }) {
  const urge = useUrge()
  return (
    <DocumentCard
      title="审批"
      actions={
        approval.AllowedActions.includes('urge') && (
          <Button size="s" loading={urge.isPending} onClick={() => urge.mutate(approval.Id)}>
            催办
          </Button>
        )
      }
    >
      <ul className={styles.reasons}>
        {approval.Reasons.map((reason) => (
          <li key={reason}>{reason}</li>
        ))}
      </ul>
      {isMine &&
        approval.Status === 'pending' &&
        approval.Questions.map((question) => (
          <Answering key={question.Id} approvalId={approval.Id} question={question} />
        ))}
      <ol className={styles.chain}>
        {approval.Steps.map((step) => (
          <li key={step.No} className={cx(step.Status === 'active' && styles.active)}>
            <p>
              <b>第 {step.No} 步</b>
              {step.Tasks.length > 1 && (step.Mode === 'all' ? '全部同意' : '任一人同意')}
              <StatusTag text={step.StatusText} tone={TONES[step.Status] ?? 'plain'} />
            </p>
            <small>{step.RuleName}</small>
            {!step.Tasks.length && <p>平台客服</p>}
            {step.Tasks.map((task) => (
              <p key={task.Approver.Id}>
                {task.Approver.Name}
                <small>
                  {task.StatusText}
                  {task.At && ` ${formatTime(task.At)}`}
                </small>
                {task.Comment && <q>{task.Comment}</q>}
              </p>
            ))}
            {step.Note && <small>{step.Note}</small>}
          </li>
        ))}
      </ol>
      {approval.Amendments.length > 0 && (
        <>
          <h3 className={styles.amended}>审批中调整过数量</h3>
          <Amendments rows={approval.Amendments} />
        </>
      )}
    </DocumentCard>
  )
}
