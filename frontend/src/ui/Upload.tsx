import {
  useRef,
  useState,
  type ChangeEvent,
  type ComponentType,
  type DragEvent,
  type ReactNode,
} from 'react'
import { tryDownload } from '@/api/download'
import type { UploadedFile } from '@/api/upload'
import { PHONE, useMedia } from '@/lib/useMedia'
import { Button } from './Button'
import { cx } from './cx'
import { Icon } from './Icon'
import styles from './Upload.module.css'
import { useUploads, type Sending, type UploadSettings } from './useUploads'

export interface UploadProps extends Omit<UploadSettings, 'max' | 'value' | 'onChange'> {
  /** The finished uploads. */
  value?: readonly UploadedFile[]
  onChange?: (files: UploadedFile[]) => void
  /** The maximum number of files. */
  max?: number
  label?: string
  hint?: ReactNode
  /** On a phone, a second button opens the camera for a picture. */
  camera?: boolean
  /** Replaces the default button. */
  Trigger?: ComponentType<TriggerProps>
}

export interface TriggerProps {
  onClick: () => void
  disabled: boolean
  children: string
}

const KitTrigger = (props: TriggerProps) => <Button icon="plus" {...props} />

const sizeOf = (bytes: number): string =>
  bytes < 1024 * 1024
    ? `${Math.max(1, Math.round(bytes / 1024))} KB`
    : `${(bytes / 1024 / 1024).toFixed(1)} MB`
const isPicture = (name: string): boolean => /\.(jpe?g|png|webp)$/i.test(name)

/**
 * A finished upload. It is fetched with the person's token, because its URL is valid for five
 * minutes only.
 */
const Arrived = ({ file, onRemove }: { file: UploadedFile; onRemove: () => void }) => (
  <li className={styles.file}>
    {isPicture(file.Name) ? (
      <img src={file.Url} alt="" width={40} height={40} />
    ) : (
      <Icon name="order" size={24} />
    )}
    <button
      type="button"
      className={styles.name}
      onClick={() =>
        void tryDownload(`/api/File/${file.FileId}`, undefined, {
          method: 'GET',
          fallback: file.Name,
        })
      }
    >
      {file.Name}
    </button>
    <span className={styles.size}>{sizeOf(file.Size)}</span>
    <button type="button" className={styles.act} aria-label={`删除${file.Name}`} onClick={onRemove}>
      <Icon name="trash" size={16} />
    </button>
  </li>
)

const OnItsWay = ({
  one,
  onCancel,
  onAgain,
}: {
  one: Sending
  onCancel: () => void
  onAgain: () => void
}) => (
  <li className={cx(styles.file, one.failed !== '' && styles.failed)}>
    <Icon name={one.failed ? 'warn' : 'order'} size={24} />
    <span className={styles.name}>{one.file.name}</span>
    {one.failed ? (
      <>
        <span role="alert">{one.failed}</span>
        <Button size="s" look="text" onClick={onAgain}>
          重试
        </Button>
      </>
    ) : (
      <progress max={100} value={one.percent} aria-label={`${one.file.name}上传进度`} />
    )}
    <button
      type="button"
      className={styles.act}
      aria-label={`${one.failed ? '移除' : '取消上传'}${one.file.name}`}
      onClick={onCancel}
    >
      <Icon name="close" size={16} />
    </button>
  </li>
)

/** Upload chosen or dropped files at once, with progress. `value` holds the finished uploads. */
export function Upload({
  value = [],
  onChange = () => undefined,
  max = 9,
  label = '上传附件',
  hint,
  camera = false,
  Trigger = KitTrigger,
  ...settings
}: UploadProps) {
  const uploads = useUploads({ ...settings, value, onChange, max })
  const input = useRef<HTMLInputElement>(null)
  const lens = useRef<HTMLInputElement>(null)
  const isPhone = useMedia(PHONE)
  const [isOver, setOver] = useState(false)
  const isFull = value.length + uploads.sending.length >= max
  const add = ({ target }: ChangeEvent<HTMLInputElement>): void => {
    uploads.add([...(target.files ?? [])])
    target.value = ''
  }
  const drop = (event: DragEvent): void => {
    event.preventDefault()
    setOver(false)
    uploads.add([...event.dataTransfer.files])
  }
  return (
    <div>
      <div
        className={cx(styles.zone, isOver && styles.over)}
        onDragOver={(event) => {
          event.preventDefault()
          setOver(true)
        }}
        onDragLeave={() => setOver(false)}
        onDrop={drop}
      >
        {camera && isPhone && (
          <Trigger disabled={isFull} onClick={() => lens.current?.click()}>
            拍照
          </Trigger>
        )}
        <Trigger disabled={isFull} onClick={() => input.current?.click()}>
          {label}
        </Trigger>
        <span className={styles.hint}>{hint ?? `可拖到此处，最多 ${max} 个`}</span>
        <input
          ref={input}
          type="file"
          hidden
          aria-label={label}
          multiple={max > 1}
          accept={settings.rules?.types?.join()}
          onChange={add}
        />
        {camera && isPhone && (
          <input
            ref={lens}
            type="file"
            hidden
            aria-label="拍照"
            accept="image/*"
            capture="environment"
            onChange={add}
          />
        )}
      </div>
      {(value.length > 0 || uploads.sending.length > 0) && (
        <ul className={styles.list} aria-label="已选文件">
          {value.map((file) => (
            <Arrived key={file.FileId} file={file} onRemove={() => uploads.remove(file.FileId)} />
          ))}
          {uploads.sending.map((one) => (
            <OnItsWay
              key={one.id}
              one={one}
              onCancel={() => uploads.cancel(one.id)}
              onAgain={() => uploads.again(one)}
            />
          ))}
        </ul>
      )}
    </div>
  )
}
