import { useState } from 'react'
import { useMessage, type InquiryDetail } from '@/domain/inquiries/inquiries'
import { formatTime } from '@/lib/time'
import { Button } from '@/ui/Button'
import { cx } from '@/ui/cx'
import { Field, Textarea } from '@/ui/Field'
import styles from './detail.module.css'

/** The messages. A person who may change the inquiry may write. */
export function Conversation({ data }: { data: InquiryDetail }) {
  const [text, setText] = useState('')
  const message = useMessage(data.InquiryNo)
  const send = (event: React.FormEvent): void => {
    event.preventDefault()
    if (text.trim()) message.mutate(text.trim(), { onSuccess: () => setText('') })
  }
  return (
    <section className={styles.card} aria-label="与客服沟通">
      <h2>与客服沟通</h2>
      {!data.Messages.length && (
        <p className={styles.quiet}>还没有留言。规格、交期、发票等细节都可以在这里问客服。</p>
      )}
      <ol className={styles.talk} aria-live="polite">
        {data.Messages.map(({ Id, Ours, By, ActingFor, Text, At }) => (
          <li key={Id} className={cx(Ours && styles.ours)}>
            <small>
              {By}
              {ActingFor && ` 代 ${ActingFor}`} <time dateTime={At}>{formatTime(At)}</time>
            </small>
            <p>{Text}</p>
          </li>
        ))}
      </ol>
      {data.AllowedActions.includes('message') && (
        <form className={styles.write} onSubmit={send}>
          <Field label="给客服留言">
            <Textarea
              rows={2}
              maxLength={500}
              value={text}
              onChange={(event) => setText(event.target.value)}
            />
          </Field>
          <Button type="submit" disabled={!text.trim()} loading={message.isPending}>
            发送
          </Button>
        </form>
      )}
    </section>
  )
}
