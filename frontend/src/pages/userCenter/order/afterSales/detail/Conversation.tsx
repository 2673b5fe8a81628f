import { useState } from 'react'
import type { UploadedFile } from '@/api/upload'
import { FileUpload } from '@/desk/FileUpload'
import { useMessage, type ReturnDetail } from '@/domain/returns/returns'
import { formatTime } from '@/lib/time'
import { Button } from '@/ui/Button'
import { cx } from '@/ui/cx'
import { Field, Textarea } from '@/ui/Field'
import { PICTURES } from '@/ui/pictures'
import { useIsUploading } from '@/ui/useUploads'
import styles from './detail.module.css'
import { Pictures } from './Pictures'

const OVER = new Set(['rejected', 'completed', 'withdrawn'])

/** The messages and pictures. A person who may act on the return may write. */
export function Conversation({ data }: { data: ReturnDetail }) {
  const [text, setText] = useState('')
  const [files, setFiles] = useState<UploadedFile[]>([])
  const message = useMessage(data.ReturnOrderId)
  const isUploading = useIsUploading()
  const send = (event: React.FormEvent): void => {
    event.preventDefault()
    if (!text.trim() || isUploading) return
    message.mutate(
      { Text: text.trim(), FileIds: files.map(({ FileId }) => FileId) },
      {
        onSuccess: () => {
          setText('')
          setFiles([])
        },
      },
    )
  }
  return (
    <section className={styles.card} aria-label="与客服沟通">
      <h2>与客服沟通</h2>
      {!data.Messages.length && (
        <p className={styles.quiet}>
          {OVER.has(data.Status)
            ? '没有留言。对处理结果有疑问，可以在这里联系客服。'
            : '还没有留言。补充照片、改约取件时间，都可以在这里告诉客服。'}
        </p>
      )}
      <ol className={styles.talk} aria-live="polite">
        {data.Messages.map(({ Id, Ours, By, ActingFor, Text, At, Pictures: pictures }) => (
          <li key={Id} className={cx(Ours && styles.ours)}>
            <small>
              {By}
              {ActingFor && ` 代 ${ActingFor}`} <time dateTime={At}>{formatTime(At)}</time>
            </small>
            <p>{Text}</p>
            <Pictures pictures={pictures} label="留言图片" />
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
          <div className={styles.send}>
            <FileUpload
              value={files}
              onChange={setFiles}
              rules={PICTURES}
              camera
              max={9}
              label="添加图片"
              hint="最多 9 张"
            />
            <Button
              type="submit"
              disabled={!text.trim() || isUploading}
              loading={message.isPending}
            >
              发送
            </Button>
          </div>
        </form>
      )}
    </section>
  )
}
