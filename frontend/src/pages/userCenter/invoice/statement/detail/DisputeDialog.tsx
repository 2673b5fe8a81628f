import {
  useDisputeStatement,
  type StatementDetail,
  type StatementLine,
} from '@/domain/invoices/statements'
import { ReasonDialog } from '@/domain/orders/ReasonDialog'
import { monthText } from '@/lib/months'
import { yuan } from '@/lib/money'
import { toast } from '@/ui/toast'

/** Dispute the statement or one of its lines. */
export default function DisputeDialog({
  data,
  line,
  onClose,
}: {
  data: StatementDetail
  line: StatementLine | null
  onClose: () => void
}) {
  const dispute = useDisputeStatement()
  const about = line
    ? `${line.KindText}“${line.Text}”，${yuan(line.Amount)}`
    : `${data.EnterpriseName}${monthText(data.Month)}，期末应付 ${yuan(data.Closing)}`
  return (
    <ReasonDialog
      title={line ? '对明细提出异议' : '对整张对账单提出异议'}
      text={`${about}。提交后客服核对并答复，答复前仍可补充说明。`}
      label="异议说明"
      confirm="提交异议"
      required
      open
      isBusy={dispute.isPending}
      onClose={onClose}
      onConfirm={(Text) =>
        dispute.mutate(
          { Id: data.Id, LineId: line?.Id ?? null, Text },
          {
            onSuccess: () => toast.success('异议已提交，客服会尽快答复'),
            onSettled: onClose,
          },
        )
      }
    />
  )
}
