import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useRef, useState } from 'react'
import { isApiError, MESSAGES } from '@/api/errors'
import { listen, type ServerEvent } from '@/api/listen'
import {
  begin,
  conversation,
  conversations,
  type Card,
  type Consent,
  type Conversation,
  type Message,
  type Picture,
} from './api'

/** A running question, with the part of its answer received so far. */
export interface Live {
  question: Message | null
  answer: Message
  note: string
}

export interface Trouble {
  message: string
  /** A question that could not be sent. It goes back into the field. */
  text: string
}

const EMPTY: Message = {
  Id: '',
  Role: 'assistant',
  Text: '',
  Status: 'writing',
  Provider: '',
  Notice: '',
  Cards: [],
  Links: [],
  Consent: null,
  Pictures: [],
  CreatedAt: '',
}
let asked = 0

const message = (part: Partial<Message>): Message => {
  asked += 1
  return { ...EMPTY, Id: `new-${asked}`, ...part }
}

/** Returns the answer with one more event applied. */
export function applyEvent(live: Live, { name, data }: ServerEvent): Live {
  const { answer } = live
  const given = (part: Partial<Message>): Live => ({
    ...live,
    note: '',
    answer: { ...answer, ...part },
  })
  switch (name) {
    case 'start':
      return given({ Id: data['MessageId'] as string })
    case 'text':
      return given({ Text: answer.Text + (data['Text'] as string) })
    case 'working':
      return { ...live, note: data['Note'] as string }
    case 'cards':
      return given({
        Cards: [
          ...answer.Cards,
          ...(data['Items'] as Card[]).filter(
            (card) => !answer.Cards.some(({ ProductCode }) => ProductCode === card.ProductCode),
          ),
        ],
      })
    case 'links':
      return given({ Links: [...answer.Links, ...(data['Items'] as Message['Links'])] })
    case 'consent':
      return given({ Consent: data as Consent })
    case 'notice':
      return given({ Notice: data['Text'] as string })
    case 'done':
      return given({ Status: 'complete' })
    case 'error':
      return given({ Status: 'failed', Notice: data['Message'] as string })
    default:
      return live
  }
}

/**
 * The open conversation: ask, stop, regenerate the last answer. `onBegun` receives the Id of a new
 * conversation.
 */
export function useChat(uid: string, id: string | null, onBegun: (id: string) => void) {
  const client = useQueryClient()
  const [live, setLive] = useState<Live | null>(null)
  const [trouble, setTrouble] = useState<Trouble | null>(null)
  const running = useRef<AbortController | null>(null)

  useEffect(() => () => running.current?.abort(), [id])

  const keep = useCallback(
    (to: string, ended: Live): void => {
      client.setQueryData<Conversation>(conversation(uid, to).queryKey, (known) => {
        const before = known?.Messages ?? []
        const kept = ended.question
          ? [...before, ended.question]
          : before.slice(0, before.findLastIndex(({ Role }) => Role === 'person') + 1)
        return {
          Id: to,
          Title: known?.Title ?? '',
          LastAt: known?.LastAt ?? '',
          Messages: [...kept, ended.answer],
        }
      })
      void client.invalidateQueries({ queryKey: conversations(uid).queryKey })
    },
    [client, uid],
  )

  const run = useCallback(
    async (to: string, url: string, body: unknown, first: Live): Promise<boolean> => {
      const control = new AbortController()
      running.current = control
      let now = first
      let hasStarted = false
      const show = (next: Live): void => {
        now = next
        if (running.current === control) setLive(next)
      }
      show(first)
      try {
        await listen(url, body, {
          signal: control.signal,
          onEvent: (told) => {
            hasStarted = true
            show(applyEvent(now, told))
          },
        })
        if (now.answer.Status === 'writing')
          now = {
            ...now,
            answer: { ...now.answer, Status: 'failed', Notice: '回答中断了，请重试' },
          }
      } catch (error) {
        const isStopped = control.signal.aborted
        if (!hasStarted && !isStopped) {
          if (running.current === control) setLive(null)
          setTrouble({
            message: isApiError(error) ? error.message : MESSAGES.network,
            text: first.question?.Text ?? '',
          })
          return false
        }
        now = {
          ...now,
          answer: {
            ...now.answer,
            Status: isStopped ? 'stopped' : 'failed',
            Notice: isStopped ? now.answer.Notice : '网络中断，回答没有完成，请重试',
          },
        }
      }
      keep(to, now)
      if (running.current === control) {
        running.current = null
        setLive(null)
      }
      return true
    },
    [keep],
  )

  const ask = useCallback(
    async (text: string, pictures: Picture[] = []): Promise<void> => {
      setTrouble(null)
      const first: Live = {
        question: message({ Role: 'person', Text: text, Status: 'complete', Pictures: pictures }),
        answer: message({}),
        note: '正在思考',
      }
      setLive(first)
      let to = id
      try {
        to ??= (await begin()).Id
      } catch (error) {
        setLive(null)
        setTrouble({ message: isApiError(error) ? error.message : MESSAGES.network, text })
        return
      }
      const isDone = await run(
        to,
        `/api/Assistant/Conversation/${to}/Message`,
        { Text: text, FileIds: pictures.map(({ FileId }) => FileId) },
        first,
      )
      if (isDone && to !== id) onBegun(to)
    },
    [id, onBegun, run],
  )

  const retry = useCallback(async (): Promise<void> => {
    if (!id) return
    setTrouble(null)
    await run(
      id,
      `/api/Assistant/Conversation/${id}/Retry`,
      {},
      { question: null, answer: message({}), note: '正在重新回答' },
    )
  }, [id, run])

  const stop = useCallback((): void => running.current?.abort(), [])

  return { live, trouble, ask, retry, stop, forgive: () => setTrouble(null) }
}
