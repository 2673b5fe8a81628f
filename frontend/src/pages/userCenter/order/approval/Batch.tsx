import { Form, Input } from 'antd'
import { useState } from 'react'
import { Link } from 'react-router-dom'
import { FormDialog } from '@/desk/FormDialog'
import { StatusTag } from '@/desk/StatusTag'
import { useBulkApprove, useBulkReject, type DecidedOrder } from '@/domain/approvals/approvals'
import { sum, yuan } from '@/lib/money'
import { paths } from '@/lib/paths'
import { Button } from '@/ui/Button'
import { toast } from '@/ui/toast'
import styles from './approval.module.css'
import { getTone } from './tones'

/** The orders of one submit, decided together or each on its own page. */
export function Batch({ order }: { order: DecidedOrder }) {
  const [isRejecting, setRejecting] = useState(false)
  const approve = useBulkApprove()
  const reject = useBulkReject()
  const decidable = order.Batch.filter(({ CanDecide }) => CanDecide)
  const Ids = decidable.map(({ ApprovalId }) => ApprovalId)
  const approveAll = async (): Promise<void> => {
    const { Approved, Refused } = await approve.mutateAsync({ Ids, Comment: '' })
    if (Refused) toast.warning(`已同意 ${Approved} 张，${Refused} 张未处理，请逐张查看`)
    else toast.success(`已同意同批 ${Approved} 张订单`)
  }
  const rejectAll = async (Reason: string): Promise<void> => {
    const { Rejected, Refused } = await reject.mutateAsync({ Ids, Reason })
    if (Refused) toast.warning(`已驳回 ${Rejected} 张，${Refused} 张未处理，请逐张查看`)
    else toast.success(`已驳回同批 ${Rejected} 张订单`)
  }
  return (
    <section aria-label="同批订单">
      <h3>
        同批订单（{order.Batch.length} 张，合计 {yuan(sum(order.Batch.map(({ Total }) => Total)))}）
      </h3>
      <ul className={styles.batch}>
        {order.Batch.map((row) => (
          <li key={row.OrderNo}>
            {row.OrderNo === order.OrderNo ? (
              <b>{row.OrderNo}（本单）</b>
            ) : (
              <Link to={paths.approval(row.ApprovalId)}>{row.OrderNo}</Link>
            )}
            <span>
              {row.Receiver}
              {row.Department && ` · ${row.Department}`}
              {row.CostCenter && ` · ${row.CostCenter}`}
              <small>{row.Address}</small>
            </span>
            <StatusTag text={row.ApprovalStatusText} tone={getTone(row.ApprovalStatus)} />
            <b>{yuan(row.Total)}</b>
          </li>
        ))}
      </ul>
      {decidable.length > 1 && (
        <p className={styles.together}>
          <Button
            look="primary"
            size="s"
            loading={approve.isPending}
            onClick={() => void approveAll().catch(() => undefined)}
          >
            {`同意同批 ${decidable.length} 张`}
          </Button>
          <Button size="s" onClick={() => setRejecting(true)}>
            {`驳回同批 ${decidable.length} 张`}
          </Button>
        </p>
      )}
      {isRejecting && (
        <FormDialog<{ Reason: string }>
          title={`驳回同批 ${decidable.length} 张订单`}
          open
          okText="驳回"
          onClose={() => setRejecting(false)}
          onSubmit={({ Reason }) => rejectAll(Reason)}
        >
          <Form.Item
            name="Reason"
            label="驳回原因"
            rules={[{ required: true, whitespace: true, message: '请填写驳回原因' }]}
          >
            <Input.TextArea rows={3} maxLength={500} showCount />
          </Form.Item>
        </FormDialog>
      )}
    </section>
  )
}
