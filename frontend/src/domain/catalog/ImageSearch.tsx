import { useEffect, useEffectEvent, useRef, useState, type DragEvent } from 'react'
import { useNavigate } from 'react-router-dom'
import { showError } from '@/api/call'
import { isApiError, messageOfStatus, reportError } from '@/api/errors'
import { paths } from '@/lib/paths'
import { Button } from '@/ui/Button'
import { cx } from '@/ui/cx'
import { Dialog } from '@/ui/Dialog'
import { Icon } from '@/ui/Icon'
import { toast } from '@/ui/toast'
import { BarcodeScan } from './BarcodeScan'
import { getFiles, buildResultPath, NOTHING_FOUND, ONE_ONLY, searchByImage } from './imageSearch'
import styles from './ImageSearch.module.css'

interface Attempt {
  /** The object URL of the picture. */
  shown: string
  file: File
  percent: number
  /** The error message; empty during the search. */
  problem: string
}

/** Upload the picture and return the state of the search. */
function useImageSearch(onFound: (address: string) => void) {
  const [attempt, setAttempt] = useState<Attempt | null>(null)
  const running = useRef<AbortController>(undefined)
  const shown = attempt?.shown
  useEffect(() => () => running.current?.abort(), [])
  useEffect(() => () => void (shown && URL.revokeObjectURL(shown)), [shown])

  const updateAttempt = (change: Partial<Attempt>): void =>
    setAttempt((now) => now && { ...now, ...change })
  const look = async (file: File): Promise<void> => {
    running.current?.abort()
    const controller = (running.current = new AbortController())
    setAttempt({ shown: URL.createObjectURL(file), file, percent: 0, problem: '' })
    try {
      const found = await searchByImage(file, {
        signal: controller.signal,
        onProgress: (percent) => updateAttempt({ percent }),
      })
      if (!found) setAttempt(null)
      else if (found.ImageKey) onFound(buildResultPath(found))
      else {
        toast.warning(NOTHING_FOUND)
        updateAttempt({ problem: `${NOTHING_FOUND}，请换一张主体清楚、背景简单的图片` })
      }
    } catch (error) {
      if (controller.signal.aborted) return
      showError(error)
      updateAttempt({ problem: isApiError(error) ? error.message : messageOfStatus(0) })
    }
  }
  const take = (files: readonly File[]): void => {
    const [file] = files
    if (files.length > 1) reportError(ONE_ONLY)
    else if (file) void look(file)
  }
  const drop = (): void => {
    running.current?.abort()
    setAttempt(null)
  }
  return { attempt, take, drop }
}

function Progress({
  attempt,
  onAgain,
  onDrop,
}: {
  attempt: Attempt
  onAgain: () => void
  onDrop: () => void
}) {
  const { shown, percent, problem } = attempt
  return (
    <div className={styles.attempt} aria-busy={!problem}>
      <img src={shown} alt="待查找的图片" />
      {problem ? (
        <p role="alert">{problem}</p>
      ) : (
        <p>{percent < 100 ? `正在上传 ${percent}%` : '正在比对商品…'}</p>
      )}
      {!problem && (
        <progress max={100} value={percent < 100 ? percent : undefined} aria-label="图片上传进度" />
      )}
      <div className={styles.acts}>
        {problem && <Button onClick={onAgain}>重试</Button>}
        <Button look={problem ? 'primary' : 'secondary'} onClick={onDrop}>
          {problem ? '换一张图片' : '取消'}
        </Button>
      </div>
    </div>
  )
}

const NONE: readonly File[] = []

/**
 * 以图搜索: choose, paste or drop one picture, or scan a barcode; what it finds opens as a list.
 * `first` is a picture that was given already.
 */
export default function ImageSearch({
  first = NONE,
  onClose,
}: {
  first?: readonly File[]
  onClose: () => void
}) {
  const navigate = useNavigate()
  const { attempt, take, drop } = useImageSearch((address) => {
    onClose()
    void navigate(address)
  })
  const input = useRef<HTMLInputElement>(null)
  const [isOver, setOver] = useState(false)
  const [isScanning, setScans] = useState(false)
  const taken = useEffectEvent(take)
  useEffect(() => {
    taken(first)
    // A picture may be pasted wherever the focus is.
    const paste = (event: ClipboardEvent): void => {
      const files = getFiles(event.clipboardData)
      if (files.length) event.preventDefault()
      taken(files)
    }
    document.addEventListener('paste', paste)
    return () => document.removeEventListener('paste', paste)
  }, [first])
  const dropped = (event: DragEvent): void => {
    event.preventDefault()
    setOver(false)
    take(getFiles(event.dataTransfer))
  }
  if (isScanning)
    return (
      <Dialog title="扫描条码" open onClose={onClose} width={520}>
        <BarcodeScan
          onCode={(code) => {
            onClose()
            void navigate(paths.products({ Keyword: code }))
          }}
        />
      </Dialog>
    )
  return (
    <Dialog title="以图搜索" open onClose={onClose} width={520}>
      <div
        className={cx(styles.zone, isOver && styles.over)}
        onDragOver={(event) => {
          event.preventDefault()
          setOver(true)
        }}
        onDragLeave={() => setOver(false)}
        onDrop={dropped}
      >
        {attempt ? (
          <Progress attempt={attempt} onAgain={() => take([attempt.file])} onDrop={drop} />
        ) : (
          <>
            <Icon name="camera" size={40} />
            <p>将图片拖到此处，或按 Ctrl+V 粘贴截图</p>
            <Button look="primary" onClick={() => input.current?.click()}>
              选择图片
            </Button>
            <Button look="text" onClick={() => setScans(true)}>
              扫描商品条码
            </Button>
            <small>JPG、PNG、WebP 图片一张，不超过 2MB；主体清楚、背景简单时更准确</small>
          </>
        )}
        <input
          ref={input}
          type="file"
          hidden
          aria-label="选择要查找的图片"
          accept="image/*"
          onChange={({ target }) => {
            take([...(target.files ?? [])])
            target.value = ''
          }}
        />
      </div>
    </Dialog>
  )
}
