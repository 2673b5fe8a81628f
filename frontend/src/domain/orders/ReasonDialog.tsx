import { useEffect, useRef, useState, type ReactNode } from 'react'
import { Button } from '@/ui/Button'
import { Dialog } from '@/ui/Dialog'
import { Field, Textarea } from '@/ui/Field'

interface Props {
  title: string
  text: ReactNode
  label: string
  confirm: string
  open: boolean
  isBusy: boolean
  required?: boolean
  danger?: boolean
  onClose: () => void
  onConfirm: (reason: string) => void
}

/** Ask for a reason before an irreversible action. The field has the focus. */
export function ReasonDialog({
  title,
  text,
  label,
  confirm,
  open,
  isBusy,
  required = false,
  danger = false,
  onClose,
  onConfirm,
}: Props) {
  const [reason, setReason] = useState('')
  const [isMissing, setMissing] = useState(false)
  const element = useRef<HTMLTextAreaElement>(null)
  useEffect(() => {
    if (open) element.current?.focus()
  }, [open])
  const send = (): void => {
    const trimmedReason = reason.trim()
    setMissing(required && !trimmedReason)
    if (!required || trimmedReason) onConfirm(trimmedReason)
  }
  return (
    <Dialog
      title={title}
      open={open}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>返回</Button>
          <Button look={danger ? 'danger' : 'primary'} loading={isBusy} onClick={send}>
            {confirm}
          </Button>
        </>
      }
    >
      <p>{text}</p>
      <Field
        label={label}
        required={required}
        error={isMissing ? `请填写${label}` : null}
        hint="最多 200 字"
      >
        <Textarea
          ref={element}
          rows={3}
          maxLength={200}
          value={reason}
          onChange={(event) => setReason(event.target.value)}
        />
      </Field>
    </Dialog>
  )
}
