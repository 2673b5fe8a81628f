import { Fragment, useState } from 'react'
import { StatusTag } from '@/desk/StatusTag'
import { Answering } from '@/domain/approvals/Answering'
import { useComment, type Decision, type Remark } from '@/domain/approvals/approvals'
import { elapsed } from '@/domain/approvals/elapsed'
import { formatTime } from '@/lib/time'
import { Button } from '@/ui/Button'
import { MentionBox, type Person } from './MentionBox'
import styles from './talk.module.css'

/** The text with the mentioned names in bold. */
function RemarkText({ Text, Mentions }: Remark) {
  const names = Mentions.map(({ Name }) => `@${Name}`)
  if (!names.length) return Text
  const pieces = Text.split(
    new RegExp(
      `(${names.map((name) => name.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)).join('|')})`,
    ),
  )
  return pieces.map((piece, index) => (
    <Fragment key={index}>{names.includes(piece) ? <b>{piece}</b> : piece}</Fragment>
  ))
}

function Row({ remark }: { remark: Remark }) {
  const { Kind, KindText, By, ActingFor, At, Waits } = remark
  return (
    <li>
      <small>
        {By.Name}
        {ActingFor && ` 代 ${ActingFor.Name}`} <time dateTime={At}>{formatTime(At)}</time>
        {Kind !== 'comment' && (
          <StatusTag text={KindText} tone={Kind === 'question' ? 'warn' : 'good'} />
        )}
        {Waits && <em>待申请人答复，已等待 {elapsed(At)}</em>}
      </small>
      <p>
        <RemarkText {...remark} />
      </p>
    </li>
  )
}

/**
 * Questions, answers and comments of the approval. The requester answers here; every reader may
 * comment.
 */
export function Discussion({ data: { Approval: approval, Discussion: rows } }: { data: Decision }) {
  const [text, setText] = useState('')
  const [people, setPeople] = useState<readonly Person[]>([])
  const comment = useComment()
  const waiting = approval.AllowedActions.includes('answer')
    ? rows.filter(({ Waits }) => Waits)
    : []
  const send = (): void => {
    const Text = text.trim()
    if (!Text || comment.isPending) return
    const Mentions = [
      ...new Set(people.filter(({ Name }) => Text.includes(`@${Name}`)).map(({ Id }) => Id)),
    ]
    comment.mutate(
      { ApprovalId: approval.Id, Text, Mentions },
      {
        onSuccess: () => {
          setText('')
          setPeople([])
        },
      },
    )
  }
  return (
    <section aria-label="讨论">
      <h3>讨论</h3>
      {waiting.map((question) => (
        <Answering key={question.Id} approvalId={approval.Id} question={question} />
      ))}
      {!rows.length && <p className={styles.quiet}>还没有人发言。有疑问可以在这里和同事商量。</p>}
      <ol className={styles.talk} aria-live="polite">
        {rows.map((remark) => (
          <Row key={remark.Id} remark={remark} />
        ))}
      </ol>
      <form
        className={styles.write}
        onSubmit={(event) => {
          event.preventDefault()
          send()
        }}
      >
        <MentionBox
          approvalId={approval.Id}
          text={text}
          onText={setText}
          onMention={(person) => setPeople([...people, person])}
          onSend={send}
        />
        <Button type="submit" disabled={!text.trim()} loading={comment.isPending}>
          发送
        </Button>
      </form>
    </section>
  )
}
