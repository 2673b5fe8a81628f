import { InputNumber } from 'antd'
import { useState } from 'react'
import { fieldMessages, isApiError } from '@/api/errors'
import { useRedApply, type InvoiceDetail } from '@/domain/invoices/invoices'
import { getInvoiceLineTitle, RED_REASONS } from '@/domain/invoices/status'
import { sum, times, yuan } from '@/lib/money'
import { Button } from '@/ui/Button'
import { Radio } from '@/ui/Choice'
import { Dialog } from '@/ui/Dialog'
import { Field, Textarea } from '@/ui/Field'
import { toast } from '@/ui/toast'
import styles from './detail.module.css'

type Line = InvoiceDetail['Lines'][number]
type Reason = (typeof RED_REASONS)[number]['value']

const openOf = ({ Quantity, RedQuantity }: Line): number => Quantity - RedQuantity

interface PartsProps {
  lines: readonly Line[]
  quantities: Readonly<Record<string, number>>
  onChange: (quantities: Record<string, number>) => void
}

/** The quantity per line to reverse. */
function Parts({ lines, quantities, onChange }: PartsProps) {
  return (
    <ul className={styles.parts} aria-label="红冲明细">
      {lines.map((line) => (
        <li key={line.Id}>
          <span>
            {getInvoiceLineTitle(line)}
            <small>
              {line.OrderNo} · 可红冲 {openOf(line)} {line.Unit} · {yuan(line.UnitPrice)}
            </small>
          </span>
          <InputNumber
            min={0}
            max={openOf(line)}
            precision={0}
            value={quantities[line.Id] ?? 0}
            aria-label={`${line.OrderNo} ${getInvoiceLineTitle(line)} 红冲数量`}
            onChange={(value) => onChange({ ...quantities, [line.Id]: value ?? 0 })}
          />
        </li>
      ))}
    </ul>
  )
}

/** Request a red invoice for the rest of this invoice or for some of its lines. */
export default function RedDialog({ data, onClose }: { data: InvoiceDetail; onClose: () => void }) {
  const [reason, setReason] = useState<Reason>('01')
  const [isPart, setPart] = useState(false)
  const [quantities, setQuantities] = useState<Record<string, number>>({})
  const [note, setNote] = useState('')
  const red = useRedApply()
  const lines = data.Lines.filter((line) => openOf(line) > 0)
  const chosen = lines.flatMap((line) =>
    (quantities[line.Id] ?? 0) > 0 ? [{ line, quantity: quantities[line.Id] ?? 0 }] : [],
  )
  const amount = isPart
    ? sum(chosen.map(({ line, quantity }) => times(line.UnitPrice, quantity)))
    : sum(lines.map((line) => times(line.UnitPrice, openOf(line))))
  const refusal = isApiError(red.error)
    ? (Object.values(fieldMessages(red.error))[0] ?? red.error.message)
    : null
  const send = (): void =>
    red.mutate(
      {
        Id: data.Id,
        body: {
          Reason: reason,
          Note: note.trim(),
          ...(isPart && {
            Lines: chosen.map(({ line, quantity }) => ({
              InvoiceLineId: line.Id,
              Quantity: quantity,
            })),
          }),
        },
      },
      {
        onSuccess: () => {
          toast.success('红冲申请已提交，销方须在 72 小时内确认')
          onClose()
        },
      },
    )
  return (
    <Dialog
      title={`申请红冲 · ${data.InvoiceNo}`}
      open
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>返回</Button>
          <Button
            look="primary"
            loading={red.isPending}
            disabled={isPart && !chosen.length}
            onClick={send}
          >
            提交红冲申请
          </Button>
        </>
      }
    >
      <div className={styles.red}>
        <p className={styles.quiet}>
          提交后生成红字发票信息确认单，双方须在 72
          小时内确认，逾期自动作废；开具红字发票后，对应数量可重新申请开票。
        </p>
        <fieldset>
          <legend>红冲原因</legend>
          {RED_REASONS.map(({ value, label, hint }) => (
            <Radio
              key={value}
              name="Reason"
              checked={reason === value}
              onChange={() => setReason(value)}
            >
              <span>
                {value} {label} <small>{hint}</small>
              </span>
            </Radio>
          ))}
        </fieldset>
        <fieldset>
          <legend>红冲范围</legend>
          <Radio name="Range" checked={!isPart} onChange={() => setPart(false)}>
            全部剩余数量
          </Radio>
          <Radio name="Range" checked={isPart} onChange={() => setPart(true)}>
            部分商品或数量
          </Radio>
          {isPart && <Parts lines={lines} quantities={quantities} onChange={setQuantities} />}
        </fieldset>
        <Field label="说明" hint="最多 300 字">
          <Textarea
            rows={2}
            maxLength={300}
            value={note}
            onChange={(event) => setNote(event.target.value)}
          />
        </Field>
        <p className={styles.redSum} role="status">
          红冲金额 <b>{yuan(amount)}</b>
        </p>
        {refusal && (
          <p className={styles.refusal} role="alert">
            {refusal}
          </p>
        )}
      </div>
    </Dialog>
  )
}
