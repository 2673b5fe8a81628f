import { useState } from 'react'
import { useApprove, useReject, type Approval } from '@/domain/approvals/approvals'
import { ReasonDialog } from '@/domain/orders/ReasonDialog'
import { Button } from '@/ui/Button'
import { Input } from '@/ui/Field'
import { toast } from '@/ui/toast'
import styles from './approval.module.css'

/** Approve with an optional word, or reject with a reason; only where it is this person's turn. */
export function Decide({ approval }: { approval: Approval }) {
  const [comment, setComment] = useState('')
  const [rejecting, setRejecting] = useState(false)
  const approve = useApprove()
  const reject = useReject()
  if (!approval.AllowedActions.includes('approve')) return null
  return (
    <footer className={styles.decide}>
      <Input value={comment} maxLength={500} placeholder="审批意见（选填）" aria-label="审批意见" onChange={(event) => setComment(event.target.value)} />
      <Button look="danger" onClick={() => setRejecting(true)}>
        驳回
      </Button>
      <Button look="primary" loading={approve.isPending} onClick={() => approve.mutate({ ApprovalId: approval.Id, Comment: comment.trim() }, { onSuccess: () => toast.success('已同意') })}>
        同意
      </Button>
      <ReasonDialog
        title="驳回订单"
        text="驳回后审批终止，库存与预算退回，申请人可修改后重新提交。"
        label="驳回原因"
        required
        danger
        confirm="确认驳回"
        open={rejecting}
        busy={reject.isPending}
        onClose={() => setRejecting(false)}
        onConfirm={(Reason) => reject.mutate({ ApprovalId: approval.Id, Reason }, { onSuccess: () => toast.success('已驳回'), onSettled: () => setRejecting(false) })}
      />
    </footer>
  )
}
