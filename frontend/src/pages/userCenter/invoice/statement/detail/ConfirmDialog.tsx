import { useState } from 'react'
import { isApiError } from '@/api/errors'
import { useConfirmStatement, type StatementDetail } from '@/domain/invoices/statements'
import { monthText } from '@/lib/months'
import { yuan } from '@/lib/money'
import { Button } from '@/ui/Button'
import { Checkbox } from '@/ui/Choice'
import { Dialog } from '@/ui/Dialog'
import { toast } from '@/ui/toast'
import styles from './detail.module.css'

/**
 * Confirm the displayed amount. If it changed meanwhile, the server refuses and the screen is
 * reloaded.
 */
export default function ConfirmDialog({
  data,
  onClose,
  onStale,
}: {
  data: StatementDetail
  onClose: () => void
  onStale: () => void
}) {
  const confirm = useConfirmStatement()
  const [isWaived, setWaives] = useState(false)
  const isDisputed = data.Status === 'disputed'
  const send = (): void =>
    confirm.mutate(
      { Id: data.Id, Closing: data.Closing, WaiveDispute: isDisputed && isWaived },
      {
        onSuccess: () => {
          toast.success(`${monthText(data.Month)}对账单已确认`)
          onClose()
        },
        onError: onStale,
      },
    )
  const rows = [
    ['期初应付', data.Opening],
    ['＋ 本期签收', data.Deliveries],
    ['－ 本期退货', data.Returns],
    ['－ 本期付款', data.Paid],
  ] as const
  return (
    <Dialog
      title={`确认${monthText(data.Month)}对账单`}
      open
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>返回</Button>
          <Button
            look="primary"
            loading={confirm.isPending}
            disabled={isDisputed && !isWaived}
            onClick={send}
          >
            确认无误
          </Button>
        </>
      }
    >
      <div className={styles.confirm}>
        <p>{data.EnterpriseName}确认以下金额无误。确认后本账期不再变动，差额计入后续账期。</p>
        <dl>
          {rows.map(([name, amount]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{yuan(amount)}</dd>
            </div>
          ))}
          <div className={styles.closing}>
            <dt>＝ 期末应付</dt>
            <dd>{yuan(data.Closing)}</dd>
          </div>
        </dl>
        {isDisputed && (
          <div className={styles.warning}>
            <p>本单的异议客服尚未答复，建议等答复后再确认。</p>
            <Checkbox checked={isWaived} onChange={setWaives}>
              放弃未答复的异议
            </Checkbox>
          </div>
        )}
        {confirm.error && (
          <p className={styles.refusal} role="alert">
            {isApiError(confirm.error) ? confirm.error.message : '请求失败，请稍后重试'}
          </p>
        )}
      </div>
    </Dialog>
  )
}
