import { useState, type FormEvent } from 'react'
import { fieldMessages } from '@/api/errors'
import { Button } from '@/ui/Button'
import { Dialog } from '@/ui/Dialog'
import { Field, Input } from '@/ui/Field'

interface ListNameDialogProps {
  title: string
  name?: string
  hint: string
  isSaving: boolean
  error: unknown
  onClose: () => void
  onSave: (name: string) => void
}

/** The message of a refusal: that of the field, or the whole one. */
export const getRefusal = (error: unknown, field: string): string => {
  if (!(error instanceof Error)) return ''
  return fieldMessages(error)[field] ?? error.message
}

/** Ask for the name of a 采购清单: a new one, a copy, or another name. */
export function ListNameDialog({
  title,
  name = '',
  hint,
  isSaving,
  error,
  onClose,
  onSave,
}: ListNameDialogProps) {
  const [typed, setTyped] = useState(name)
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    if (typed.trim()) onSave(typed.trim())
  }
  return (
    <Dialog
      open
      title={title}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>取消</Button>
          <Button
            look="primary"
            type="submit"
            form="list-name"
            loading={isSaving}
            disabled={!typed.trim()}
          >
            保存
          </Button>
        </>
      }
    >
      <form id="list-name" onSubmit={submit}>
        <Field label="清单名称" required hint={hint} error={getRefusal(error, 'Name')}>
          <Input
            value={typed}
            maxLength={40}
            placeholder="如：前台每月补货"
            onChange={(event) => setTyped(event.target.value)}
          />
        </Field>
      </form>
    </Dialog>
  )
}
