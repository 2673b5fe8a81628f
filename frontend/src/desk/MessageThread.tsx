import { useState } from 'react'
import type { UploadedFile } from '@/api/upload'
import { formatTime } from '@/lib/time'
import { Button } from '@/ui/Button'
import { cx } from '@/ui/cx'
import { Field, Textarea } from '@/ui/Field'
import { PICTURES } from '@/ui/pictures'
import { useIsUploading } from '@/ui/useUploads'
import { DocumentCard, PictureList, type DocumentPicture } from './DocumentPage'
import styles from './document.module.css'
import { FileUpload } from './FileUpload'

interface ThreadMessage {
  Id: string | number
  /** Written by our customer service. */
  Ours: boolean
  By: string
  ActingFor?: string | null
  Text: string
  At: string
  Pictures?: readonly DocumentPicture[]
}

export interface NewMessage {
  Text: string
  FileIds: string[]
}

interface MessageThreadProps {
  messages: readonly ThreadMessage[]
  /** What to say while nobody has written. */
  emptyText: string
  canWrite: boolean
  /** Offer to add up to nine pictures. */
  hasPictures?: boolean
  isSending: boolean
  /** Send the message; call `onSent` when the server has it. */
  onSend: (message: NewMessage, onSent: () => void) => void
}

/** The messages between the customer and our customer service on one document. */
export function MessageThread({
  messages,
  emptyText,
  canWrite,
  hasPictures = false,
  isSending,
  onSend,
}: MessageThreadProps) {
  const [text, setText] = useState('')
  const [files, setFiles] = useState<UploadedFile[]>([])
  const isUploading = useIsUploading()
  const canSend = text.trim() !== '' && !isUploading
  const send = (event: React.FormEvent): void => {
    event.preventDefault()
    if (!canSend) return
    onSend({ Text: text.trim(), FileIds: files.map(({ FileId }) => FileId) }, () => {
      setText('')
      setFiles([])
    })
  }
  return (
    <DocumentCard title="与客服沟通">
      {!messages.length && <p className={styles.empty}>{emptyText}</p>}
      <ol className={styles.messages} aria-live="polite">
        {messages.map(({ Id, Ours, By, ActingFor, Text, At, Pictures = [] }) => (
          <li key={Id} className={cx(Ours && styles.fromStaff)}>
            <small>
              {By}
              {ActingFor && ` 代 ${ActingFor}`} <time dateTime={At}>{formatTime(At)}</time>
            </small>
            <p>{Text}</p>
            <PictureList pictures={Pictures} label="留言图片" />
          </li>
        ))}
      </ol>
      {canWrite && (
        <form className={styles.write} onSubmit={send}>
          <Field label="给客服留言">
            <Textarea
              rows={2}
              maxLength={500}
              value={text}
              onChange={(event) => setText(event.target.value)}
            />
          </Field>
          <div className={styles.send}>
            {hasPictures && (
              <FileUpload
                value={files}
                onChange={setFiles}
                rules={PICTURES}
                camera
                max={9}
                label="添加图片"
                hint="最多 9 张"
              />
            )}
            <Button type="submit" disabled={!canSend} loading={isSending}>
              发送
            </Button>
          </div>
        </form>
      )}
    </DocumentCard>
  )
}
