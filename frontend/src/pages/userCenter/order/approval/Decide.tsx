import { useState } from 'react'
import { useApprove, useReject, type Approval } from '@/domain/approvals/approvals'
import { ReasonDialog } from '@/domain/orders/ReasonDialog'
import { useSession } from '@/lib/session'
import { useKeys } from '@/lib/useKeys'
import { cx } from '@/ui/cx'
import { Button } from '@/ui/Button'
import styles from './approval.module.css'
import { ApproveDialog } from './ApproveDialog'
import { TransferDialog } from './TransferDialog'

/** In whose place the decision would be: empty where the person is asked himself. */
function standingInFor({ Steps }: Approval, uid: string | undefined): string {
  const asked = Steps.filter(({ Status }) => Status === 'active').flatMap(({ Tasks }) => Tasks.filter(({ Status }) => Status === 'pending'))
  const [first, ...others] = asked.map(({ Approver }) => Approver)
  if (!first || asked.some(({ Approver }) => Approver.Id === uid)) return ''
  return others.length ? '同事' : first.Name
}

/** Approve with an optional word, reject with a reason, by button or by A and R, or give it to a colleague; only where it is this person's turn. */
export function Decide({ approval }: { approval: Approval }) {
  const [asking, setAsking] = useState<'approve' | 'reject' | 'transfer' | null>(null)
  const approve = useApprove()
  const reject = useReject()
  const uid = useSession()?.User.uid
  const mayDecide = approval.AllowedActions.includes('approve')
  useKeys(mayDecide ? { a: () => setAsking('approve'), r: () => setAsking('reject') } : {})
  if (!mayDecide) return null
  const away = standingInFor(approval, uid)
  const close = (): void => setAsking(null)
  const ApprovalId = approval.Id
  return (
    <footer className={styles.decide}>
      <p className={cx(away && styles.away)}>{away ? `您正在代 ${away} 审批，记录中会注明` : '操作前会再次确认'}</p>
      {approval.AllowedActions.includes('transfer') && <Button onClick={() => setAsking('transfer')}>转交</Button>}
      <Button look="danger" aria-keyshortcuts="R" onClick={() => setAsking('reject')}>
        驳回
        <kbd aria-hidden>R</kbd>
      </Button>
      <Button look="primary" aria-keyshortcuts="A" onClick={() => setAsking('approve')}>
        同意
        <kbd aria-hidden>A</kbd>
      </Button>
      <ApproveDialog
        approval={approval}
        open={asking === 'approve'}
        busy={approve.isPending}
        onClose={close}
        onConfirm={(Comment) => approve.mutate({ ApprovalId, Comment }, { onSettled: close })}
      />
      <ReasonDialog
        title="驳回订单"
        text="驳回后审批终止，库存与预算退回，申请人可修改后重新提交。"
        label="驳回原因"
        required
        danger
        confirm="确认驳回"
        open={asking === 'reject'}
        busy={reject.isPending}
        onClose={close}
        onConfirm={(Reason) => reject.mutate({ ApprovalId, Reason }, { onSettled: close })}
      />
      {asking === 'transfer' && <TransferDialog approval={approval} onClose={close} />}
    </footer>
  )
}
