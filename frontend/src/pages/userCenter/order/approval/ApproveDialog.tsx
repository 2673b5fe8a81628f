import { useEffect, useId, useRef, useState } from 'react'
import { Button } from '@/ui/Button'
import { Dialog } from '@/ui/Dialog'
import { Field, Input } from '@/ui/Field'
import styles from './approval.module.css'

interface Props {
  title: string
  /** The subject and the amount of the approval. */
  text: string
  /** The represented person, if any. */
  actingFor?: string | undefined
  open: boolean
  isBusy: boolean
  onClose: () => void
  onConfirm: (comment: string) => void
}

/** Confirm an approval, with an optional comment. Enter confirms. */
export function ApproveDialog({ title, text, actingFor, open, isBusy, onClose, onConfirm }: Props) {
  const [comment, setComment] = useState('')
  const form = useId()
  const element = useRef<HTMLFormElement>(null)
  useEffect(() => {
    if (open) element.current?.querySelector('input')?.focus()
  }, [open])
  return (
    <Dialog
      title={title}
      open={open}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>返回</Button>
          <Button look="primary" type="submit" form={form} loading={isBusy}>
            确认同意
          </Button>
        </>
      }
    >
      <form
        id={form}
        ref={element}
        onSubmit={(event) => {
          event.preventDefault()
          if (!isBusy) onConfirm(comment.trim())
        }}
      >
        {actingFor && <p className={styles.acting}>您将代 {actingFor} 审批，记录中会注明</p>}
        <p className={styles.asked}>{text}</p>
        <Field label="审批意见" hint="选填，最多 500 字；按 Enter 确认同意">
          <Input
            value={comment}
            maxLength={500}
            onChange={(event) => setComment(event.target.value)}
          />
        </Field>
      </form>
    </Dialog>
  )
}
