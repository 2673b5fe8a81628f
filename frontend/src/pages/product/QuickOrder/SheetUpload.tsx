import { useEffect, useRef, useState } from 'react'
import { isApiError, MESSAGES } from '@/api/errors'
import type { QuickOrder } from '@/api/schema'
import { upload } from '@/api/upload'
import { Button } from '@/ui/Button'
import { cx } from '@/ui/cx'
import { Icon } from '@/ui/Icon'
import { downloadTemplate, MAX_MB, QUICK_ORDER } from './api'
import styles from './quick.module.css'

interface UploadProgress {
  name: string
  percent: number
}

/**
 * The upload of a sheet by file dialog or drop. Shows the upload progress, then that the server
 * reads the sheet.
 */
export default function SheetUpload({ onRead }: { onRead: (answer: QuickOrder) => void }) {
  const [progress, setProgress] = useState<UploadProgress | null>(null)
  const [failed, setFailed] = useState('')
  const [isOver, setOver] = useState(false)
  const input = useRef<HTMLInputElement>(null)
  const stop = useRef<AbortController | null>(null)
  useEffect(() => () => stop.current?.abort(), [])
  const send = async (file: File | undefined): Promise<void> => {
    if (!file) return
    setFailed('')
    if (file.size > MAX_MB * 1024 * 1024) {
      setFailed(`文件不能超过 ${MAX_MB} MB，最多 10,000 行，请删除图片和多余的行后重试`)
      return
    }
    const control = new AbortController()
    stop.current = control
    setProgress({ name: file.name, percent: 0 })
    try {
      const answer = await upload<QuickOrder>(file, {
        url: QUICK_ORDER,
        loading: false,
        quiet: true,
        signal: control.signal,
        onProgress: (percent) => setProgress({ name: file.name, percent }),
      })
      if (answer) onRead(answer)
    } catch (error) {
      if (!control.signal.aborted) setFailed(isApiError(error) ? error.message : MESSAGES.failed)
    } finally {
      setProgress(null)
    }
  }
  return (
    <div className={styles.sheet}>
      <div
        className={cx(styles.drop, isOver && styles.over)}
        onDragOver={(event) => {
          event.preventDefault()
          setOver(true)
        }}
        onDragLeave={() => setOver(false)}
        onDrop={(event) => {
          event.preventDefault()
          setOver(false)
          if (!progress) void send(event.dataTransfer.files[0])
        }}
      >
        <Icon name="paper" size={32} />
        {progress ? (
          <div className={styles.way} role="status">
            <b>{progress.name}</b>
            <progress
              max={100}
              value={progress.percent < 100 ? progress.percent : undefined}
              aria-label={`${progress.name}上传进度`}
            />
            <span>
              {progress.percent < 100 ? `已上传 ${progress.percent}%` : '上传完成，正在识别商品…'}
            </span>
            <Button size="s" look="text" onClick={() => stop.current?.abort()}>
              取消
            </Button>
          </div>
        ) : (
          <>
            <Button look="primary" onClick={() => input.current?.click()}>
              选择表格
            </Button>
            <span>或把文件拖到这里</span>
          </>
        )}
        <input
          ref={input}
          type="file"
          hidden
          aria-label="上传表格"
          accept=".xlsx,.xls,.csv"
          onChange={({ target }) => {
            void send(target.files?.[0])
            target.value = ''
          }}
        />
      </div>
      {failed && (
        <p className={styles.failed} role="alert">
          <Icon name="warn" size={16} />
          {failed}
        </p>
      )}
      <ul className={styles.rules}>
        <li>支持 .xlsx、.xls、.csv，最多 10,000 行、{MAX_MB} MB，读取第一个工作表</li>
        <li>列名可以是编码、物料编码、型号、名称、数量、单位、备注，顺序不限；没有表头也能识别</li>
        <li>公式取计算结果；合并的单元格请先拆分</li>
      </ul>
      <Button icon="paper" size="s" look="tint" onClick={() => void downloadTemplate()}>
        下载模板
      </Button>
    </div>
  )
}
