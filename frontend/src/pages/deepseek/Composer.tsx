import { useEffect, useRef, useState, type ClipboardEvent, type KeyboardEvent } from 'react'
import { MESSAGES, reportError } from '@/api/errors'
import { Button } from '@/ui/Button'
import { Icon } from '@/ui/Icon'
import type { Picture } from './api'
import styles from './deepseek.module.css'

const LONGEST = 2000
const PICTURES = 3

interface Props {
  isBusy: boolean
  /** The text of a failed request comes back into the field. */
  returned: string
  onAsk: (text: string, pictures: Picture[]) => void
  onStop: () => void
}

/**
 * The remaining characters, shown near the limit. A text over the limit stays in the field and is
 * not sent.
 */
function Room({ typed }: { typed: number }) {
  if (typed > LONGEST)
    return (
      <small className={styles.tooLong} role="alert">
        最多 {LONGEST} 个字，已输入 {typed} 个
      </small>
    )
  return typed > LONGEST - 200 ? (
    <small>
      {typed} / {LONGEST}
    </small>
  ) : (
    <small className={styles.keys}>Enter 发送，Shift + Enter 换行</small>
  )
}

/**
 * The input for the question. Enter sends, Shift+Enter adds a line. The user chooses or pastes
 * pictures.
 */
export function Composer({ isBusy, returned, onAsk, onStop }: Props) {
  const [text, setText] = useState('')
  const [pictures, setPictures] = useState<Picture[]>([])
  const [loading, setLoading] = useState(false)
  const field = useRef<HTMLTextAreaElement>(null)
  const chooser = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (returned) setText(returned)
  }, [returned])
  useEffect(() => {
    const area = field.current
    if (!area) return
    area.style.height = 'auto'
    area.style.height = `${Math.min(area.scrollHeight, 160)}px`
  }, [text])

  const attach = async (file: File | undefined): Promise<void> => {
    if (!file || pictures.length >= PICTURES) return
    setLoading(true)
    try {
      const { IMAGE_SEARCH_RULES, upload } = await import(
        /* webpackChunkName: "upload" */ '@/api/upload'
      )
      const kept = await upload(file, { rules: IMAGE_SEARCH_RULES, loading: false })
      if (kept) setPictures((known) => [...known, kept].slice(0, PICTURES))
    } catch (error) {
      // The API layer shows errors of the request. A failed chunk load has no message yet.
      if (error instanceof Error && error.name === 'ChunkLoadError') reportError(MESSAGES.network)
    } finally {
      setLoading(false)
    }
  }
  const typed = text.trim().length
  const isOver = typed > LONGEST
  const isReady = !isBusy && !loading && !isOver && (text.trim() !== '' || pictures.length > 0)
  const send = (): void => {
    if (!isReady) return
    onAsk(text.trim(), pictures)
    setText('')
    setPictures([])
    field.current?.focus()
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return
    event.preventDefault()
    send()
  }
  const onPaste = (event: ClipboardEvent): void => {
    const [file] = [...event.clipboardData.files].filter(({ type }) => type.startsWith('image/'))
    if (!file) return
    event.preventDefault()
    void attach(file)
  }
  return (
    <form
      className={styles.composer}
      onSubmit={(event) => {
        event.preventDefault()
        send()
      }}
    >
      {pictures.length > 0 && (
        <ul className={styles.pictures} aria-label="要发送的图片">
          {pictures.map(({ FileId, Name, Url }) => (
            <li key={FileId}>
              <img src={Url} alt={Name} width={56} height={56} />
              <button
                type="button"
                aria-label={`移除 ${Name}`}
                onClick={() => setPictures((known) => known.filter((one) => one.FileId !== FileId))}
              >
                <Icon name="close" size={14} />
              </button>
            </li>
          ))}
        </ul>
      )}
      <textarea
        ref={field}
        aria-label="输入问题"
        rows={1}
        aria-invalid={isOver}
        value={text}
        placeholder="问商品、订单、预算或售后，例如：20 元以内的黑色中性笔"
        onChange={(event) => setText(event.target.value)}
        onKeyDown={onKeyDown}
        onPaste={onPaste}
      />
      <div className={styles.row}>
        <input
          ref={chooser}
          type="file"
          accept="image/*"
          hidden
          aria-hidden
          tabIndex={-1}
          onChange={(event) => {
            void attach(event.target.files?.[0])
            event.target.value = ''
          }}
        />
        <Button
          look="text"
          icon="camera"
          size="s"
          loading={loading}
          disabled={pictures.length >= PICTURES}
          onClick={() => chooser.current?.click()}
        >
          图片
        </Button>
        <Room typed={typed} />
        {isBusy ? (
          <Button key="stop" look="secondary" icon="pause" onClick={onStop}>
            停止
          </Button>
        ) : (
          <Button key="send" look="primary" icon="top" type="submit" disabled={!isReady}>
            发送
          </Button>
        )}
      </div>
    </form>
  )
}
