import { useQueryClient } from '@tanstack/react-query'
import { Button, Checkbox, Modal, Table, type TableColumnType } from 'antd'
import { useRef, useState } from 'react'
import { download } from '@/api/download'
import { upload } from '@/api/upload'
import { rereadQueries } from '@/api/rereadQueries'
import { toast } from '@/ui/toast'
import styles from './importDialog.module.css'

/** A row of the preview: its number in the file, its cells and its errors. */
export type ImportRow = { Row: number; Errors: readonly string[] } & Readonly<
  Record<string, string>
>

interface Preview {
  Total: number
  Wrong: number
  Rows: ImportRow[]
  Imported: number
}

export interface ImportDialogProps {
  title: string
  /** The noun of a row, as in 导入 3 个账号. */
  noun: string
  /** Accepts the file for a preview, and again with `Confirm` to import it. */
  url: string
  /** Returns the empty sheet. */
  template: string
  hint: string
  columns: TableColumnType<ImportRow>[]
  /** An additional option of the import. */
  option?: { name: string; label: string }
  /** First words of the keys of the queries to reread afterwards. */
  touched: readonly string[]
  onClose: () => void
}

const MOST_MB = 5
const ignore = (): undefined => undefined

/** Import a sheet in two steps: preview every row with its errors, then import all rows or none. */
export function ImportDialog({
  title,
  noun,
  url,
  template,
  hint,
  columns,
  option,
  touched,
  onClose,
}: ImportDialogProps) {
  const client = useQueryClient()
  const input = useRef<HTMLInputElement>(null)
  const [file, setFile] = useState<File | null>(null)
  const [preview, setPreview] = useState<Preview | null>(null)
  const [wished, setWished] = useState(false)
  const [refusal, setRefusal] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)

  const send = async (
    chosen: File,
    extra: Readonly<Record<string, string>>,
  ): Promise<Preview | null> => {
    setBusy(true)
    setRefusal(null)
    try {
      return await upload<Preview>(chosen, { url, extra, quiet: true, rules: { maxMb: MOST_MB } })
    } catch (error) {
      setRefusal(error instanceof Error ? error.message : '请求失败')
      return null
    } finally {
      setBusy(false)
    }
  }
  const check = async (chosen: File): Promise<void> => {
    setFile(chosen)
    setPreview(await send(chosen, {}))
  }
  const confirm = async (): Promise<void> => {
    if (!file) return
    const done = await send(file, {
      Confirm: 'true',
      ...(option && wished ? { [option.name]: 'true' } : {}),
    })
    if (!done) return
    await rereadQueries(client, touched)
    const imported = done.Imported.toLocaleString('en-US')
    // The sheet was confirmed twice, and the first request is still writing it.
    if (done.Imported < done.Total)
      toast.info(
        `正在导入，已写入 ${imported} / ${done.Total.toLocaleString('en-US')} ${noun}，请稍后刷新查看`,
      )
    else toast.success(`已导入 ${imported} ${noun}`)
    onClose()
  }
  const right = preview && preview.Wrong === 0
  return (
    <Modal
      title={title}
      open
      onCancel={onClose}
      width={760}
      footer={
        <>
          <Button onClick={onClose}>取消</Button>
          <Button type="primary" disabled={!right} loading={busy} onClick={() => void confirm()}>
            {right ? `导入 ${preview.Total.toLocaleString('en-US')} ${noun}` : '导入'}
          </Button>
        </>
      }
    >
      <p className={styles.hint}>
        {hint}
        <Button
          type="link"
          size="small"
          onClick={() => void download(template, undefined, { method: 'GET' }).catch(ignore)}
        >
          下载模板
        </Button>
      </p>
      <div className={styles.choose}>
        <input
          ref={input}
          type="file"
          hidden
          accept=".xlsx,.xls,.csv"
          aria-label="选择表格"
          onChange={(event) => {
            const chosen = event.target.files?.[0]
            event.target.value = ''
            if (chosen) void check(chosen)
          }}
        />
        <Button loading={busy} onClick={() => input.current?.click()}>
          {file ? '重新选择表格' : '选择表格'}
        </Button>
        <span>{file?.name ?? '支持 .xlsx、.xls 和 .csv，5MB 以内'}</span>
      </div>
      {refusal && (
        <p className={styles.refusal} role="alert">
          {refusal}
        </p>
      )}
      {preview && <Shown preview={preview} columns={columns} />}
      {right && option && (
        <Checkbox checked={wished} onChange={(event) => setWished(event.target.checked)}>
          {option.label}
        </Checkbox>
      )}
    </Modal>
  )
}

function Shown({
  preview: { Total, Wrong, Rows },
  columns,
}: {
  preview: Preview
  columns: TableColumnType<ImportRow>[]
}) {
  const all: TableColumnType<ImportRow>[] = [
    { title: '行', width: 56, dataIndex: 'Row' },
    ...columns,
    {
      title: '检查结果',
      width: 280,
      render: (_, row) =>
        row.Errors.length ? (
          <span className={styles.wrong}>{row.Errors.join('；')}</span>
        ) : (
          <span className={styles.right}>可以导入</span>
        ),
    },
  ]
  return (
    <>
      <p className={Wrong ? styles.refusal : styles.fine} role="status">
        共 {Total.toLocaleString('en-US')} 行，
        {Wrong
          ? `${Wrong.toLocaleString('en-US')} 行不正确。请在表格中修改后重新选择，当前未导入任何数据`
          : '全部正确，确认后一次导入'}
        {Rows.length < Total && `（以下显示前 ${Rows.length} 行）`}
      </p>
      <Table<ImportRow>
        size="small"
        rowKey="Row"
        columns={all}
        dataSource={Rows}
        pagination={false}
        scroll={{ x: 'max-content', y: 280 }}
      />
    </>
  )
}
