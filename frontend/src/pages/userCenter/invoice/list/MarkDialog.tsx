import { useState } from 'react'
import { isApiError } from '@/api/errors'
import { useMarkInvoices, type MarkKind } from '@/domain/invoices/invoices'
import { MARK_KINDS, markText } from '@/domain/invoices/status'
import { Button } from '@/ui/Button'
import { Radio } from '@/ui/Choice'
import { Dialog } from '@/ui/Dialog'
import { Field, Textarea } from '@/ui/Field'
import { toast } from '@/ui/toast'
import styles from './records.module.css'

interface Props {
  ids: readonly string[]
  onClose: () => void
  onDone: () => void
}

/** Set or clear a mark on the selected invoices. */
export default function MarkDialog({ ids, onClose, onDone }: Props) {
  const [kind, setKind] = useState<MarkKind>('verified')
  const [note, setNote] = useState('')
  const mark = useMarkInvoices()
  const send = (IsSet: boolean): void =>
    mark.mutate(
      { InvoiceIds: [...ids], Kind: kind, IsSet, Note: IsSet ? note.trim() : '' },
      {
        onSuccess: ({ Changed }) => {
          const verb = IsSet ? '登记' : '撤销登记'
          toast.success(
            Changed
              ? `已${verb} ${Changed} 张发票“${markText(kind)}”`
              : `所选发票的状态没有变化，无需${verb}`,
          )
          onDone()
        },
      },
    )
  return (
    <Dialog
      title={`登记 ${ids.length} 张发票的处理状态`}
      open
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>返回</Button>
          <Button loading={mark.isPending} onClick={() => send(false)}>
            撤销此状态
          </Button>
          <Button
            look="primary"
            loading={mark.isPending}
            disabled={kind === 'problem' && !note.trim()}
            onClick={() => send(true)}
          >
            登记
          </Button>
        </>
      }
    >
      <div className={styles.mark}>
        <p>仅供贵司内部管理，可多次登记，不影响发票本身。“已抵扣”仅适用于专用发票。</p>
        <span className={styles.kinds} role="radiogroup" aria-label="处理状态">
          {MARK_KINDS.map(({ value, label }) => (
            <Radio key={value} name="mark" checked={kind === value} onChange={() => setKind(value)}>
              {label}
            </Radio>
          ))}
        </span>
        <Field label="说明" required={kind === 'problem'} hint="如凭证号；“有问题”须写明问题">
          <Textarea
            value={note}
            maxLength={200}
            onChange={(event) => setNote(event.target.value)}
          />
        </Field>
        {mark.error && (
          <p className={styles.refusal} role="alert">
            {isApiError(mark.error) ? mark.error.message : '请求失败，请稍后重试'}
          </p>
        )}
      </div>
    </Dialog>
  )
}
