import { useState } from 'react'
import { formatTime } from '@/lib/time'
import { Button } from '@/ui/Button'
import { Field, Textarea } from '@/ui/Field'
import { useAnswer } from './approvals'
import { elapsed } from './elapsed'
import styles from './talk.module.css'

interface Question {
  Id: string
  By: { Name: string }
  ActingFor: { Name: string } | null
  At: string
  Text: string
}

/** A question that waits for the requester, and his answer. */
export function Answering({
  approvalId,
  question: { Id, By, ActingFor, At, Text },
}: {
  approvalId: string
  question: Question
}) {
  const [text, setText] = useState('')
  const answer = useAnswer()
  const send = (event: React.FormEvent): void => {
    event.preventDefault()
    if (text.trim()) answer.mutate({ ApprovalId: approvalId, QuestionId: Id, Text: text.trim() })
  }
  return (
    <section className={styles.waiting} aria-label="待您答复">
      <div>
        <small>
          {By.Name}
          {ActingFor && ` 代 ${ActingFor.Name}`}在 {formatTime(At)} 询问，已等待 {elapsed(At)}
        </small>
        <p>{Text}</p>
      </div>
      <form onSubmit={send}>
        <Field label="您的答复">
          <Textarea
            rows={2}
            maxLength={500}
            value={text}
            onChange={(event) => setText(event.target.value)}
          />
        </Field>
        <Button type="submit" look="primary" disabled={!text.trim()} loading={answer.isPending}>
          答复
        </Button>
      </form>
    </section>
  )
}
