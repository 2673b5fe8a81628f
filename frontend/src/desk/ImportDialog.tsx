import { useQueryClient } from '@tanstack/react-query'
import { Button, Checkbox, Form, Modal, Table, type FormInstance, type TableColumnType } from 'antd'
import { useCallback, useId, useRef, useState, type ReactNode } from 'react'
import { tryDownload } from '@/api/download'
import { isApiError } from '@/api/errors'
import { upload } from '@/api/upload'
import { rereadQueries } from '@/api/rereadQueries'
import { toast } from '@/ui/toast'
import { useReturnedFocus } from '@/ui/useReturnedFocus'
import { showFieldErrors } from './formErrors'
import {
  HeaderMapping,
  unknownHeadersOf,
  UsedMappingNote,
  type Mapping,
  type UnknownHeaders,
  type UsedMapping,
} from './HeaderMapping'
import styles from './importDialog.module.css'
import { IMPORTS, RecentImports, type ImportRun } from './RecentImports'

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
  /** Null if the sheet has the headers of the template. */
  Mapping: UsedMapping | null
}

export interface ImportDialogProps {
  title: string
  /** The noun of a row, as in 导入 3 个账号. */
  noun: string
  /** The kind of background import. Without it the dialog does not list recent imports. */
  kind?: string
  /** Accepts the file for a preview, and again with `Confirm` to import it. */
  url: string
  /** Returns the empty sheet. */
  template: string
  hint: string
  columns: TableColumnType<ImportRow>[]
  /** An additional option of the import. */
  option?: { name: string; label: string }
  /** Fields that prove the owner before the import, and what the confirmation sends of them. */
  proof?: {
    fields: ReactNode
    getExtra: (values: object) => Readonly<Record<string, string>>
  }
  /** First words of the keys of the queries to reread afterwards. */
  touched: readonly string[]
  onClose: () => void
}

const MAX_MB = 5

/** What has become of the rows of the sheet. */
type Outcome = 'none' | 'writing' | 'done' | 'undone'

const WRONG_TEXTS: Readonly<Record<Outcome, string>> = {
  none: '请在表格中修改后重新选择，或只导入正确的行；当前未导入任何数据',
  writing: '其余的行正在导入，可以关闭此窗口；请下载不正确的行，更正后重新选择',
  done: '其余的行已导入，请下载不正确的行，更正后重新选择',
  undone: '其余的行未能导入，已撤回，请重新选择表格核对',
}
const RIGHT_TEXTS: Readonly<Record<Exclude<Outcome, 'none'>, string>> = {
  writing: '正在导入，可以关闭此窗口，导入不会中断',
  done: '已全部导入',
  undone: '未能导入，已撤回，请重新选择表格核对',
}

/** "：新增 1，修改 2，不变 297", or '' if all rows are new. */
const actionsText = ({ Created, Updated, Unchanged }: Preview): string =>
  Updated || Unchanged
    ? `：新增 ${Created.toLocaleString('en-US')}，修改 ${Updated.toLocaleString('en-US')}，不变 ${Unchanged.toLocaleString('en-US')}`
    : ''

/** Shows a refusal that names a field of the form there. False if it is about the sheet. */
const showInForm = (form: FormInstance<object>, error: unknown): boolean =>
  isApiError(error) &&
  Object.keys(error.fields).some((name) => name in form.getFieldsValue()) &&
  showFieldErrors(form, error)

/**
 * Import a sheet in two steps: preview every row with its errors, then import all rows, or the
 * right ones. The wrong ones come back as a sheet to correct. Foreign headers are mapped once.
 */
export function ImportDialog({
  title,
  noun,
  kind,
  url,
  template,
  hint,
  columns,
  option,
  proof,
  touched,
  onClose,
}: ImportDialogProps) {
  const client = useQueryClient()
  useReturnedFocus()
  const [form] = Form.useForm<object>()
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  const [file, setFile] = useState<File | null>(null)
  const [preview, setPreview] = useState<Preview | null>(null)
  const [isWished, setWished] = useState(false)
  const [refusal, setRefusal] = useState<string | null>(null)
  const [unknown, setUnknown] = useState<UnknownHeaders | null>(null)
  const [first, setFirst] = useState<Mapping>({})
  const [isRemembered, setRemembered] = useState(true)
  const [outcome, setOutcome] = useState<Outcome>('none')
  const [isBusy, setBusy] = useState(false)

  const send = async (
    chosen: File,
    extra: Readonly<Record<string, string>>,
  ): Promise<Preview | null> => {
    setBusy(true)
    setRefusal(null)
    setUnknown(null)
    setFirst({})
    try {
      return await upload<Preview>(chosen, { url, extra, quiet: true, rules: { maxMb: MAX_MB } })
    } catch (error) {
      if (!('Confirm' in extra && showInForm(form, error)))
        setRefusal(error instanceof Error ? error.message : '请求失败')
      setUnknown(unknownHeadersOf(error))
      return null
    } finally {
      setBusy(false)
    }
  }
  const check = async (chosen: File, mapping?: Mapping): Promise<void> => {
    setFile(chosen)
    setRemembered(!mapping)
    setOutcome('none')
    setPreview(await send(chosen, mapping ? { Mapping: JSON.stringify(mapping) } : {}))
  }
  const changeMapping = ({ Columns, Choices }: UsedMapping): void => {
    setPreview(null)
    setFirst(Columns)
    setUnknown({ Headers: Object.keys(Columns), Columns: Choices })
  }
  const takeWrong = async (): Promise<void> => {
    if (!file) return
    const form = new FormData()
    form.append('file', file)
    form.append('WrongRows', 'true')
    await tryDownload(url, form)
  }
  const confirm = async (values: object): Promise<void> => {
    if (!file) return
    const done = await send(file, {
      Confirm: 'true',
      ...(preview?.Wrong ? { GoodOnly: 'true' } : {}),
      ...(option && isWished ? { [option.name]: 'true' } : {}),
      ...proof?.getExtra(values),
    })
    if (!done) return
    await rereadQueries(client, touched)
    await rereadQueries(client, [IMPORTS])
    const imported = done.Imported.toLocaleString('en-US')
    // A background job, or the first request of a double click, is still writing the sheet.
    const isWriting = done.Imported < done.Total
    if (isWriting)
      toast.info(
        `正在导入，已写入 ${imported} / ${done.Total.toLocaleString('en-US')} ${noun}，可以离开此页，稍后刷新查看`,
      )
    else toast.success(`已导入 ${imported} ${noun}${actionsText(done)}`)
    // The wrong rows can still be downloaded, and the progress is shown.
    if (preview?.Wrong || (isWriting && kind)) setOutcome(isWriting ? 'writing' : 'done')
    else onClose()
  }
  const finish = useCallback(
    ({ State, StateText, Imported }: ImportRun): void => {
      const isDone = State === 'done'
      setOutcome((now) => (now === 'writing' ? (isDone ? 'done' : 'undone') : now))
      if (isDone) toast.success(`已导入 ${Imported.toLocaleString('en-US')} ${noun}`)
      else toast.info(`导入未完成：${StateText}`)
      void rereadQueries(client, touched)
    },
    [client, noun, touched],
  )
  // The refusal of a confirmation stands beside its button: on a telephone the top is out of sight.
  const alert = refusal && (
    <p className={styles.refusal} role="alert">
      {refusal}
    </p>
  )
  const right = preview && outcome === 'none' ? preview.Total - preview.Wrong : 0
  return (
    <Modal
      title={title}
      open
      onCancel={onClose}
      width={760}
      footer={
        <>
          <Button onClick={onClose}>{outcome === 'none' ? '取消' : '关闭'}</Button>
          {preview && preview.Wrong > 0 && (
            <Button onClick={() => void takeWrong()}>
              下载不正确的 {preview.Wrong.toLocaleString('en-US')} 行
            </Button>
          )}
          <Button type="primary" htmlType="submit" form={id} disabled={!right} loading={isBusy}>
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
        <Button loading={isBusy} onClick={() => input.current?.click()}>
          {file ? '重新选择表格' : '选择表格'}
        </Button>
        <span>{file?.name ?? '支持 .xlsx、.xls 和 .csv，5MB 以内'}</span>
      </div>
      {!preview && alert}
      {file && unknown && (
        <HeaderMapping
          unknown={unknown}
          first={first}
          onChosen={(mapping) => void check(file, mapping)}
        />
      )}
      {preview?.Mapping && outcome === 'none' && (
        <UsedMappingNote
          used={preview.Mapping}
          isRemembered={isRemembered}
          onChange={() => preview.Mapping && changeMapping(preview.Mapping)}
        />
      )}
      {kind && <RecentImports kind={kind} noun={noun} isSending={isBusy} onEnd={finish} />}
      {preview && <ImportPreview preview={preview} outcome={outcome} columns={columns} />}
      {preview && alert}
      {right > 0 && (
        <Form<object>
          id={id}
          form={form}
          layout="vertical"
          preserve={false}
          className={styles.confirm ?? ''}
          onFinish={(values) => void confirm(values)}
        >
          {option && (
            <Checkbox checked={isWished} onChange={(event) => setWished(event.target.checked)}>
              {option.label}
            </Checkbox>
          )}
          {proof?.fields}
        </Form>
      )}
    </Modal>
  )
}

function ImportPreview({
  preview,
  outcome,
  columns,
}: {
  preview: Preview
  outcome: Outcome
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
          ? `${Wrong.toLocaleString('en-US')} 行不正确。${WRONG_TEXTS[outcome]}`
          : outcome === 'none'
            ? `全部正确，确认后一次导入${actionsText(preview)}`
            : RIGHT_TEXTS[outcome]}
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
