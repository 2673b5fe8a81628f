import { useQuery, type QueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useRef, useState } from 'react'
import { useSearchParams } from 'react-router-dom'
import { session, useSession } from '@/lib/session'
import { Button } from '@/ui/Button'
import { cx } from '@/ui/cx'
import { Icon } from '@/ui/Icon'
import { ErrorState, Loading } from '@/ui/States'
import { conversation, conversations, type Picture } from './api'
import { Composer } from './Composer'
import { Conversations } from './Conversations'
import styles from './deepseek.module.css'
import { AnswerMessage, Question } from './Messages'
import { useChat } from './useChat'
import { Welcome } from './Welcome'

export const loader = (client: QueryClient) => () => {
  const uid = session.get()?.User.uid
  if (uid) void client.prefetchQuery(conversations(uid))
  return null
}

const NEAR_END_PX = 120
const ABOVE = 16

/**
 * Scrolls with the answer until the last question reaches the top, unless the reader has scrolled
 * up.
 */
function useEnd(grows: unknown) {
  const room = useRef<HTMLDivElement>(null)
  const follows = useRef(true)
  useEffect(() => {
    const box = room.current
    if (!box || !follows.current) return
    const question = [...box.querySelectorAll<HTMLElement>('[data-question]')].at(-1)
    // Before the first question the page starts at the top of the greeting.
    const top = question ? question.offsetTop - box.offsetTop - ABOVE : 0
    box.scrollTop = Math.min(box.scrollHeight, top)
  }, [grows])
  const onScroll = (): void => {
    const box = room.current
    if (box && box.scrollHeight - box.scrollTop - box.clientHeight > NEAR_END_PX * 4)
      follows.current = false
  }
  return {
    room,
    onScroll,
    toEnd: () => {
      follows.current = true
    },
  }
}

export function Component() {
  const person = useSession()
  const uid = person?.User.uid ?? ''
  const readOnly = Boolean(person?.Acting)
  const [params, setParams] = useSearchParams()
  const id = params.get('Id')
  const [isListed, setListed] = useState(false)
  const open = useCallback(
    (to: string | null) => {
      setListed(false)
      setParams(to ? { Id: to } : {})
    },
    [setParams],
  )
  const chat = useChat(
    uid,
    id,
    useCallback((to: string) => setParams({ Id: to }, { replace: true }), [setParams]),
  )
  const { data, error, refetch } = useQuery({
    ...conversation(uid, id ?? ''),
    enabled: uid !== '' && id !== null,
  })
  const messages = id ? (data?.Messages ?? []) : []
  const { live, trouble } = chat
  const { room, onScroll, toEnd } = useEnd(live ?? messages)
  const ask = (text: string, pictures: Picture[] = []): void => {
    toEnd()
    void chat.ask(text, pictures)
  }
  // A new answer to the last question replaces the old one.
  const shown =
    live && !live.question
      ? messages.slice(0, messages.findLastIndex(({ Role }) => Role === 'person') + 1)
      : messages
  const last = shown.at(-1)
  const isRetryable = !live && !readOnly && last?.Role === 'assistant'
  return (
    <div className={styles.page}>
      <aside className={cx(styles.side, isListed && styles.listed)}>
        <Conversations uid={uid} current={id} readOnly={readOnly} onOpen={open} />
      </aside>
      <section className={styles.chat} aria-label="咨询">
        <header>
          <h1>
            <Icon name="spark" />
            AI 采购助手
          </h1>
          <Button
            className={styles.toggle}
            size="s"
            icon="menu"
            aria-expanded={isListed}
            onClick={() => setListed((was) => !was)}
          >
            对话
          </Button>
        </header>
        {/* A scrollable element must be focusable by keyboard. */}
        <div
          ref={room}
          className={styles.room}
          role="log"
          aria-label="对话内容"
          onScroll={onScroll}
          tabIndex={0}
        >
          {id && error && !data ? (
            <ErrorState
              error={error}
              onRetry={() => void refetch()}
              back={{ to: '/deepseek', label: '新对话' }}
            />
          ) : null}
          {id && !data && !error && !live ? <Loading height={240} /> : null}
          {!id && !live ? (
            <Welcome nickname={person?.User.nname ?? ''} readOnly={readOnly} onAsk={ask} />
          ) : null}
          {shown.map((one) =>
            one.Role === 'person' ? (
              <Question key={one.Id} message={one} />
            ) : (
              <AnswerMessage
                key={one.Id}
                message={one}
                readOnly={readOnly}
                onRetry={isRetryable && one === last ? () => void chat.retry() : undefined}
              />
            ),
          )}
          {live?.question && <Question message={live.question} />}
          {live && <AnswerMessage message={live.answer} note={live.note} readOnly={readOnly} />}
        </div>
        {trouble && (
          <p className={styles.trouble} role="alert">
            <Icon name="warn" size={16} />
            {trouble.message}
            <button type="button" aria-label="知道了" onClick={chat.forgive}>
              <Icon name="close" size={14} />
            </button>
          </p>
        )}
        {readOnly ? (
          <p className={styles.only}>代客户登录期间只能查看对话，不能提问</p>
        ) : (
          <Composer
            isBusy={live !== null}
            returned={trouble?.text ?? ''}
            onAsk={ask}
            onStop={chat.stop}
          />
        )}
        <small className={styles.hint}>回答由 AI 生成，价格、库存和审批以下单页面为准</small>
      </section>
    </div>
  )
}
