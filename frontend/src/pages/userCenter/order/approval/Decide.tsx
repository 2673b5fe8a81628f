import { useState } from 'react'
import { useApprove, useAskRequester, useReject, type Approval } from '@/domain/approvals/approvals'
import { ReasonDialog } from '@/domain/orders/ReasonDialog'
import { yuan } from '@/lib/money'
import { useSession } from '@/lib/session'
import { useKeys } from '@/lib/useKeys'
import { PHONE, useMedia } from '@/lib/useMedia'
import { Button } from '@/ui/Button'
import { MoreActions } from '@/ui/MoreActions'
import styles from './approval.module.css'
import { AddDialog } from './AddDialog'
import { ApproveDialog } from './ApproveDialog'
import { standingInFor } from './standIn'
import { TransferDialog } from './TransferDialog'

/**
 * Approve with an optional comment, reject with a reason, ask a question, change quantities or
 * transfer. Only shown when it is this person's turn. On a phone one thumb reaches 驳回 and 同意; the
 * others are under 更多.
 */
export function Decide({
  approval,
  onAmend,
}: {
  approval: Approval
  onAmend: (() => void) | undefined
}) {
  const [asking, setAsking] = useState<'approve' | 'reject' | 'transfer' | 'add' | 'ask' | null>(
    null,
  )
  const approve = useApprove()
  const reject = useReject()
  const ask = useAskRequester()
  const uid = useSession()?.User.uid
  const isPhone = useMedia(PHONE)
  const mayDecide = approval.AllowedActions.includes('approve')
  const may = (action: string): boolean => approval.AllowedActions.includes(action)
  const amend = may('amend') ? onAmend : undefined
  useKeys(
    mayDecide
      ? {
          a: () => setAsking('approve'),
          r: () => setAsking('reject'),
          e: amend,
          q: may('ask') ? () => setAsking('ask') : undefined,
        }
      : {},
  )
  if (!mayDecide) return null
  const away = standingInFor(approval, uid)
  const close = (): void => setAsking(null)
  const ApprovalId = approval.Id
  const others = [
    amend && (
      <Button key="amend" aria-keyshortcuts="E" onClick={amend}>
        调整数量
        <kbd aria-hidden>E</kbd>
      </Button>
    ),
    may('ask') && (
      <Button key="ask" aria-keyshortcuts="Q" onClick={() => setAsking('ask')}>
        退回询问
        <kbd aria-hidden>Q</kbd>
      </Button>
    ),
    may('add') && (
      <Button key="add" onClick={() => setAsking('add')}>
        加签
      </Button>
    ),
    may('transfer') && (
      <Button key="transfer" onClick={() => setAsking('transfer')}>
        转交
      </Button>
    ),
  ].filter(Boolean)
  return (
    <footer className={styles.decide}>
      {away && <p className={styles.away}>您正在代 {away} 审批，记录中会注明</p>}
      {isPhone && others.length > 0 ? <MoreActions opensAbove>{others}</MoreActions> : others}
      <Button look="danger" aria-keyshortcuts="R" onClick={() => setAsking('reject')}>
        驳回
        <kbd aria-hidden>R</kbd>
      </Button>
      <Button look="primary" aria-keyshortcuts="A" onClick={() => setAsking('approve')}>
        同意
        <kbd aria-hidden>A</kbd>
      </Button>
      <ApproveDialog
        title="同意订单"
        actingFor={away}
        text={`${approval.Requester.Name} 提交的 ${approval.SubjectNo}，金额 ${yuan(approval.Amount)}。同意后不能撤回。`}
        open={asking === 'approve'}
        isBusy={approve.isPending}
        onClose={close}
        onConfirm={(Comment) =>
          approve.mutate({ ApprovalId, Comment, Version: approval.Version }, { onSettled: close })
        }
      />
      <ReasonDialog
        title="驳回订单"
        text="驳回后审批终止，库存与预算退回，申请人可修改后重新提交。"
        label="驳回原因"
        required
        danger
        confirm="确认驳回"
        open={asking === 'reject'}
        isBusy={reject.isPending}
        onClose={close}
        onConfirm={(Reason) =>
          reject.mutate({ ApprovalId, Reason, Version: approval.Version }, { onSettled: close })
        }
      />
      <ReasonDialog
        title="退回询问"
        text={`向 ${approval.Requester.Name} 提问。审批保持打开，等待期间您仍可直接同意或驳回。`}
        label="要问的问题"
        required
        confirm="发送问题"
        open={asking === 'ask'}
        isBusy={ask.isPending}
        onClose={close}
        onConfirm={(Text) => ask.mutate({ ApprovalId, Text }, { onSettled: close })}
      />
      {asking === 'add' && <AddDialog approval={approval} onClose={close} />}
      {asking === 'transfer' && <TransferDialog approval={approval} onClose={close} />}
    </footer>
  )
}
