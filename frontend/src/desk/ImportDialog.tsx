import { useQueryClient } from '@tanstack/react-query'
import { Button, Checkbox, Modal, Select, Table, type TableColumnType } from 'antd'
import { useRef, useState } from 'react'
import { tryDownload } from '@/api/download'
import { isApiError } from '@/api/errors'
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
  /** The correct or imported rows that are new, changed, and equal to what is stored. */
  Created: number
  Updated: number
  Unchanged: number
}

/** The headers of the sheet that the template does not have, and the columns that it lacks. */
interface Unknown {
  Headers: string[]
  Columns: string[]
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

/** "：新增 1，修改 2，不变 297", or '' if all rows are new. */
const actionsText = ({ Created, Updated, Unchanged }: Preview): string =>
  Updated || Unchanged
    ? `：新增 ${Created.toLocaleString('en-US')}，修改 ${Updated.toLocaleString('en-US')}，不变 ${Unchanged.toLocaleString('en-US')}`
    : ''

const unknownOf = (error: unknown): Unknown | null => {
  const body = isApiError(error, 'file_refused') ? (error.body as Partial<Unknown> | null) : null
  return body?.Headers?.length ? { Headers: body.Headers, Columns: body.Columns ?? [] } : null
}

/**
 * Import a sheet in two steps: preview every row with its errors, then import all rows, or the
 * right ones. The wrong ones come back as a sheet to correct. Foreign headers are mapped once.
 */
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
  const [unknown, setUnknown] = useState<Unknown | null>(null)
  const [importedCount, setImportedCount] = useState(0)
  const [busy, setBusy] = useState(false)

  const send = async (
    chosen: File,
    extra: Readonly<Record<string, string>>,
  ): Promise<Preview | null> => {
    setBusy(true)
    setRefusal(null)
    setUnknown(null)
    try {
      return await upload<Preview>(chosen, { url, extra, quiet: true, rules: { maxMb: MOST_MB } })
    } catch (error) {
      setRefusal(error instanceof Error ? error.message : '请求失败')
      setUnknown(unknownOf(error))
      return null
    } finally {
      setBusy(false)
    }
  }
  const check = async (chosen: File, mapping?: Readonly<Record<string, string>>): Promise<void> => {
    setFile(chosen)
    setImportedCount(0)
    setPreview(await send(chosen, mapping ? { Mapping: JSON.stringify(mapping) } : {}))
  }
  const takeWrong = async (): Promise<void> => {
    if (!file) return
    const form = new FormData()
    form.append('file', file)
    form.append('WrongRows', 'true')
    await tryDownload(url, form)
  }
  const confirm = async (): Promise<void> => {
    if (!file) return
    const done = await send(file, {
      Confirm: 'true',
      ...(preview?.Wrong ? { GoodOnly: 'true' } : {}),
      ...(option && wished ? { [option.name]: 'true' } : {}),
    })
    if (!done) return
    await rereadQueries(client, touched)
    const imported = done.Imported.toLocaleString('en-US')
    // A background job, or the first request of a double click, is still writing the sheet.
    if (done.Imported < done.Total)
      toast.info(
        `正在导入，已写入 ${imported} / ${done.Total.toLocaleString('en-US')} ${noun}，可以离开此页，稍后刷新查看`,
      )
    else toast.success(`已导入 ${imported} ${noun}${actionsText(done)}`)
    // The wrong rows can still be downloaded.
    if (preview?.Wrong) setImportedCount(done.Total)
    else onClose()
  }
  const right = preview && !importedCount ? preview.Total - preview.Wrong : 0
  return (
    <Modal
      title={title}
      open
      onCancel={onClose}
      width={760}
      footer={
        <>
          <Button onClick={onClose}>{importedCount ? '关闭' : '取消'}</Button>
          {preview && preview.Wrong > 0 && (
            <Button onClick={() => void takeWrong()}>
              下载不正确的 {preview.Wrong.toLocaleString('en-US')} 行
            </Button>
          )}
          <Button type="primary" disabled={!right} loading={busy} onClick={() => void confirm()}>
            {right
              ? `${preview?.Wrong ? '只导入正确的' : '导入'} ${right.toLocaleString('en-US')} ${noun}`
              : '导入'}
          </Button>
        </>
      }
    >
      <p className={styles.hint}>
        {hint}
        <Button
          type="link"
          size="small"
          onClick={() => void tryDownload(template, undefined, { method: 'GET' })}
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
      {file && unknown && (
        <Mapping unknown={unknown} onChosen={(mapping) => void check(file, mapping)} />
      )}
      {preview && <Shown preview={preview} importedCount={importedCount} columns={columns} />}
      {right > 0 && option && (
        <Checkbox checked={wished} onChange={(event) => setWished(event.target.checked)}>
          {option.label}
        </Checkbox>
      )}
    </Modal>
  )
}

/** Choose the column of the template for each unknown header. The server remembers the choice. */
function Mapping({
  unknown: { Headers, Columns },
  onChosen,
}: {
  unknown: Unknown
  onChosen: (mapping: Readonly<Record<string, string>>) => void
}) {
  const [chosen, setChosen] = useState<Readonly<Record<string, string>>>({})
  const options = [
    { value: '', label: '不导入这一列' },
    ...Columns.map((column) => ({ value: column, label: column })),
  ]
  return (
    <div className={styles.mapping}>
      {Headers.map((header) => (
        <div key={header}>
          <span>{header}</span>
          <Select
            aria-label={`${header} 对应的内容`}
            options={options}
            value={chosen[header] ?? ''}
            onChange={(column) => setChosen({ ...chosen, [header]: column })}
          />
        </div>
      ))}
      <p className={styles.hint}>选择会记住，以后上传同样的表格不必再选。</p>
      <Button
        type="primary"
        onClick={() =>
          onChosen(Object.fromEntries(Headers.map((header) => [header, chosen[header] ?? ''])))
        }
      >
        按此对应检查
      </Button>
    </div>
  )
}

function Shown({
  preview,
  importedCount,
  columns,
}: {
  preview: Preview
  /** The number of rows that were imported, without the wrong ones. */
  importedCount: number
  columns: TableColumnType<ImportRow>[]
}) {
  const { Total, Wrong, Rows } = preview
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
          ? `${Wrong.toLocaleString('en-US')} 行不正确。${
              importedCount
                ? '其余的行已导入，请下载不正确的行，更正后重新选择'
                : '请在表格中修改后重新选择，或只导入正确的行；当前未导入任何数据'
            }`
          : `全部正确，确认后一次导入${actionsText(preview)}`}
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
