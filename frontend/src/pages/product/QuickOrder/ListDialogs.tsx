import { useState } from 'react'
import { fieldMessages } from '@/api/errors'
import type { QuickListRow } from '@/api/schema'
import { Button } from '@/ui/Button'
import { Dialog } from '@/ui/Dialog'
import { Checkbox } from '@/ui/Choice'
import { Field, Input } from '@/ui/Field'
import { MAX_LISTED, useChangeList, useDeleteList, useSaveList } from './api'
import type { Line } from './model'
import styles from './quick.module.css'

export type ListAct =
  | { kind: 'save'; lines: readonly Line[] }
  | { kind: 'change' | 'delete'; row: QuickListRow }

interface NamingProps {
  title: string
  name?: string
  shared?: boolean
  hint: string
  isBusy: boolean
  error: unknown
  onClose: () => void
  onSave: (given: { Name: string; Shared: boolean }) => void
}

function Naming({
  title,
  name = '',
  shared = false,
  hint,
  isBusy,
  error,
  onClose,
  onSave,
}: NamingProps) {
  const [Name, setName] = useState(name)
  const [Shared, setShared] = useState(shared)
  const fieldErrors = fieldMessages(error)
  const other = error instanceof Error && !Object.keys(fieldErrors).length ? error.message : ''
  return (
    <Dialog title={title} open onClose={onClose}>
      <form
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault()
          onSave({ Name: Name.trim(), Shared })
        }}
      >
        <Field label="清单名称" required hint={hint} error={fieldErrors.Name}>
          <Input
            value={Name}
            maxLength={40}
            placeholder="如：前台每月补货"
            onChange={(event) => setName(event.target.value)}
          />
        </Field>
        <Checkbox checked={Shared} onChange={setShared}>
          共享给部门（同部门同事可查看并下单，不能修改）
        </Checkbox>
        {(fieldErrors.Shared ?? fieldErrors.Items ?? other) && (
          <p className={styles.failed} role="alert">
            {fieldErrors.Shared ?? fieldErrors.Items ?? other}
          </p>
        )}
        <div className={styles.formActs}>
          <Button onClick={onClose}>取消</Button>
          <Button type="submit" look="primary" loading={isBusy} disabled={!Name.trim()}>
            保存
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

function Save({ lines, onClose }: { lines: readonly Line[]; onClose: () => void }) {
  const save = useSaveList()
  const saved = lines.slice(0, MAX_LISTED)
  const Items = saved.map(({ Product, Quantity }) => ({
    ProductCode: Product?.ProductCode ?? '',
    Quantity: Quantity ?? 1,
  }))
  const hint =
    lines.length > MAX_LISTED
      ? `每个清单最多 ${MAX_LISTED} 种商品，将保存前 ${MAX_LISTED} 种`
      : `将保存 ${lines.length} 种可下单的商品和数量`
  return (
    <Naming
      title="保存为清单"
      hint={hint}
      isBusy={save.isPending}
      error={save.error}
      onClose={onClose}
      onSave={(given) => save.mutate({ ...given, Items }, { onSuccess: onClose })}
    />
  )
}

function Change({ row, onClose }: { row: QuickListRow; onClose: () => void }) {
  const change = useChangeList()
  return (
    <Naming
      title="修改清单"
      name={row.Name}
      shared={row.Shared}
      hint={`${row.LineCount} 种商品`}
      isBusy={change.isPending}
      error={change.error}
      onClose={onClose}
      onSave={(given) => change.mutate({ Id: row.Id, ...given }, { onSuccess: onClose })}
    />
  )
}

function Delete({ row, onClose }: { row: QuickListRow; onClose: () => void }) {
  const remove = useDeleteList()
  return (
    <Dialog
      title="删除清单"
      open
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>取消</Button>
          <Button
            look="danger"
            loading={remove.isPending}
            onClick={() => remove.mutate(row.Id, { onSuccess: onClose })}
          >
            删除
          </Button>
        </>
      }
    >
      删除“{row.Name}”后不能恢复{row.Shared && '，部门同事也不能再使用'}。购物车和订单不受影响。
    </Dialog>
  )
}

/** The dialogs to save, rename, share and delete a list. */
export default function ListDialogs({ act, onClose }: { act: ListAct; onClose: () => void }) {
  if (act.kind === 'save') return <Save lines={act.lines} onClose={onClose} />
  return act.kind === 'change' ? (
    <Change row={act.row} onClose={onClose} />
  ) : (
    <Delete row={act.row} onClose={onClose} />
  )
}
