import { lazy, memo, Suspense } from 'react'
import { Link } from 'react-router-dom'
import { Button } from '@/ui/Button'
import { Icon } from '@/ui/Icon'
import { Skeleton } from '@/ui/States'
import { toast } from '@/ui/toast'
import type { Message } from './api'
import styles from './answer.module.css'

const Markdown = lazy(() => import(/* webpackChunkName: "markdown" */ './Markdown'))

const Goods = lazy(() => import(/* webpackChunkName: "assistant-goods" */ './Goods'))

const copied = (text: string): void =>
  void navigator.clipboard.writeText(text).then(
    () => toast.success('已复制'),
    () => toast.error('复制失败，请手动选择文字'),
  )

export const Question = memo(function Question({ message }: { message: Message }) {
  return (
    <article data-question className={styles.question} aria-label="我的提问">
      {message.Pictures.map(({ FileId, Name, Url }) => (
        <img key={FileId} src={Url} alt={Name} width={96} height={96} />
      ))}
      {message.Text && <p>{message.Text}</p>}
    </article>
  )
})

interface Props {
  message: Message
  /** The current step of the answer. */
  note?: string
  readOnly: boolean
  onRetry?: (() => void) | undefined
}

export const AnswerMessage = memo(function AnswerMessage({
  message,
  note = '',
  readOnly,
  onRetry,
}: Props) {
  const isWriting = message.Status === 'writing'
  return (
    <article className={styles.answer} aria-label="助手的回答" aria-busy={isWriting}>
      <span className={styles.mark}>
        <Icon name="spark" size={18} />
      </span>
      <div className={styles.body}>
        {message.Notice && (
          <p className={styles.notice}>
            <Icon name="info" size={16} />
            {message.Notice}
          </p>
        )}
        {message.Text && (
          <div className={styles.text}>
            <Suspense fallback={<p className={styles.raw}>{message.Text}</p>}>
              <Markdown text={message.Text} />
            </Suspense>
          </div>
        )}
        {isWriting && (
          <p className={styles.note}>
            {note || '正在回答'}
            <i />
            <i />
            <i />
          </p>
        )}
        {(message.Cards.length > 0 || message.Consent) && (
          <Suspense fallback={<Skeleton height={112} />}>
            <Goods message={message} readOnly={readOnly} />
          </Suspense>
        )}
        {message.Links.length > 0 && (
          <p className={styles.links}>
            {message.Links.map(({ Title, Path }) => (
              <Link key={Path} to={Path}>
                {Title}
                <Icon name="right" size={14} />
              </Link>
            ))}
          </p>
        )}
        {message.Status === 'stopped' && <p className={styles.note}>已停止回答</p>}
        {!isWriting && (
          <p className={styles.tools}>
            {message.Text && (
              <Button size="s" look="text" icon="paper" onClick={() => copied(message.Text)}>
                复制
              </Button>
            )}
            {onRetry && (
              <Button size="s" look="text" icon="swap" onClick={onRetry}>
                重新回答
              </Button>
            )}
          </p>
        )}
      </div>
    </article>
  )
})
