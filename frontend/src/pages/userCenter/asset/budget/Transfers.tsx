import { useQuery } from '@tanstack/react-query'
import { Button, Form, Input, Popconfirm } from 'antd'
import { useState } from 'react'
import { FormDialog } from '@/desk/FormDialog'
import { yuan } from '@/lib/money'
import { formatTime } from '@/lib/time'
import { toast } from '@/ui/toast'
import {
  transfers,
  useApproveTransfer,
  useRejectTransfer,
  useWithdrawTransfer,
  type TransferRow,
} from './api'
import styles from './budget.module.css'

/** The API layer has already shown the error. */
const ignore = (): undefined => undefined

function RejectDialog({ row, onClose }: { row: TransferRow; onClose: () => void }) {
  const reject = useRejectTransfer()
  const submit = async ({ Reason }: { Reason: string }): Promise<void> => {
    await reject.mutateAsync({ pk: row.Id, Reason })
    toast.success('已驳回，额度已退回调出预算')
  }
  return (
    <FormDialog<{ Reason: string }>
      title="驳回调拨"
      open
      onClose={onClose}
      onSubmit={submit}
      okText="驳回"
    >
      <p className={styles.note}>
        {row.By}申请从“{row.SourceName}”调拨 {yuan(row.Amount)} 至“{row.TargetName}
        ”，驳回后额度退回调出预算
      </p>
      <Form.Item
        name="Reason"
        label="驳回原因"
        rules={[{ required: true, whitespace: true, message: '请填写驳回原因' }]}
      >
        <Input maxLength={200} />
      </Form.Item>
    </FormDialog>
  )
}

function Waiting({ row, onReject }: { row: TransferRow; onReject: () => void }) {
  const approve = useApproveTransfer()
  const withdraw = useWithdrawTransfer()
  const isBusy = approve.isPending || withdraw.isPending
  // The list drops the decided row before the message shows.
  const agree = (): Promise<void> =>
    approve.mutateAsync(row.Id).then(() => toast.success('已同意，额度已调拨'), ignore)
  const submitWithdrawal = (): Promise<void> =>
    withdraw.mutateAsync(row.Id).then(() => toast.success('已撤回，额度已退回调出预算'), ignore)
  return (
    <li>
      <p>
        <b>{row.SourceName}</b> → <b>{row.TargetName}</b> <strong>{yuan(row.Amount)}</strong>
        <small>
          {row.By} · {formatTime(row.At)} · {row.Reason}
        </small>
      </p>
      {row.CanDecide && (
        <>
          <Popconfirm title={`同意调拨 ${yuan(row.Amount)}？`} onConfirm={() => void agree()}>
            <Button type="primary" size="small" disabled={isBusy}>
              同意
            </Button>
          </Popconfirm>
          <Button size="small" disabled={isBusy} onClick={onReject}>
            驳回
          </Button>
        </>
      )}
      {row.CanWithdraw && (
        <Popconfirm title="撤回这笔调拨申请？" onConfirm={() => void submitWithdrawal()}>
          <Button size="small" disabled={isBusy}>
            撤回
          </Button>
        </Popconfirm>
      )}
    </li>
  )
}

/**
 * The transfers that wait for a second person, with requester, date and reason. Renders nothing if
 * there are none.
 */
export default function Transfers() {
  const { data, error, refetch } = useQuery(transfers())
  const [rejected, setRejected] = useState<TransferRow | null>(null)
  if (error && !data) {
    return (
      <p className={styles.note} role="alert">
        待审批的调拨没有读到
        <Button type="link" size="small" onClick={() => void refetch()}>
          重试
        </Button>
      </p>
    )
  }
  if (!data?.length) return null
  return (
    <section className={styles.transfers} aria-label="待审批的调拨">
      <h2>待审批的调拨（{data.length}）</h2>
      <ul>
        {data.map((row) => (
          <Waiting key={row.Id} row={row} onReject={() => setRejected(row)} />
        ))}
      </ul>
      {rejected && <RejectDialog row={rejected} onClose={() => setRejected(null)} />}
    </section>
  )
}
