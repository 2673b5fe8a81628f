import { Button, DatePicker, Input, InputNumber, Select } from 'antd'
import dayjs from 'dayjs'
import { useEffect, useState } from 'react'
import { cx } from '@/ui/cx'
import styles from './desk.module.css'
import { confirmDayOnEnter } from './confirmDayOnEnter'
import { Unfold } from './Unfold'

type Values = Record<string, string | number | undefined>

/** With more fields than this, a phone folds them. */
const MAX_ON_PHONE = 2

interface Common {
  label: string
  width?: number
}
export type FilterField =
  | (Common & { kind: 'text'; name: string; placeholder?: string })
  | (Common & {
      kind: 'select'
      name: string
      options: readonly { value: string; label: string }[]
    })
  /** Two dates, YYYY-MM-DD each. */
  | (Common & { kind: 'range'; names: readonly [string, string] })
  /** Two amounts. */
  | (Common & { kind: 'money'; names: readonly [string, string] })

interface FilterBarProps<T extends object> {
  value: T
  onChange: (change: Partial<T>) => void
  fields: readonly FilterField[]
}

function Control({
  field,
  draft,
  set,
}: {
  field: FilterField
  draft: Values
  set: (change: Values) => void
}) {
  const text = (name: string): string | undefined =>
    draft[name] === undefined ? undefined : String(draft[name])
  const width = field.width ?? 180
  if (field.kind === 'text')
    return (
      <Input
        allowClear
        style={{ width }}
        value={text(field.name)}
        placeholder={field.placeholder}
        aria-label={field.label}
        onChange={(event) => set({ [field.name]: event.target.value || undefined })}
      />
    )
  if (field.kind === 'select')
    return (
      <Select
        allowClear
        style={{ width }}
        value={text(field.name)}
        placeholder="全部"
        aria-label={field.label}
        options={[...field.options]}
        onChange={(value: string | undefined) => set({ [field.name]: value })}
      />
    )
  const [from, to] = field.names
  if (field.kind === 'range') {
    const day = (name: string) => (draft[name] ? dayjs(String(draft[name])) : null)
    return (
      <DatePicker.RangePicker
        style={{ width: 240 }}
        value={[day(from), day(to)]}
        allowEmpty={[true, true]}
        aria-label={field.label}
        onKeyDown={confirmDayOnEnter}
        onChange={(dates) =>
          set({ [from]: dates?.[0]?.format('YYYY-MM-DD'), [to]: dates?.[1]?.format('YYYY-MM-DD') })
        }
      />
    )
  }
  const amount = (name: string, label: string) => (
    <InputNumber<string>
      style={{ width: 110 }}
      min="0"
      precision={2}
      stringMode
      value={text(name) ?? null}
      aria-label={`${field.label}${label}`}
      onChange={(value) => set({ [name]: value ?? undefined })}
    />
  )
  return (
    <span className={styles.pair}>
      {amount(from, '最低')}–{amount(to, '最高')}
    </span>
  )
}

/**
 * Filters above a list. They apply with 查询 or Enter (not Enter in a date); 重置 clears them. A
 * phone shows the first and folds the others.
 */
export function FilterBar<T extends object>({ value, onChange, fields }: FilterBarProps<T>) {
  const [draft, setDraft] = useState<Values>(value as Values)
  useEffect(() => setDraft(value as Values), [value])
  const [isUnfolded, setUnfolded] = useState(false)
  const canFold = fields.length > MAX_ON_PHONE
  const names = fields.flatMap((field) => ('names' in field ? field.names : [field.name]))
  const hidden = fields
    .slice(1)
    .filter((field) =>
      ('names' in field ? field.names : [field.name]).some(
        (name) => value[name as keyof T] !== undefined,
      ),
    ).length
  const picked = (from: Values): Partial<T> =>
    Object.fromEntries(names.map((name) => [name, from[name]])) as Partial<T>
  return (
    <form
      className={cx(styles.filters, canFold && !isUnfolded && styles.folded)}
      onSubmit={(event) => {
        event.preventDefault()
        onChange(picked(draft))
      }}
    >
      {fields.map((field) => (
        <div key={field.label} className={styles.filter}>
          {field.label}
          <Control
            field={field}
            draft={draft}
            set={(change) => setDraft({ ...draft, ...change })}
          />
        </div>
      ))}
      <span className={styles.buttons}>
        <Button htmlType="submit" type="primary">
          查询
        </Button>
        <Button onClick={() => onChange(picked({}))}>重置</Button>
        {canFold && (
          <Unfold
            isUnfolded={isUnfolded}
            hidden={hidden}
            onToggle={() => setUnfolded(!isUnfolded)}
          />
        )}
      </span>
    </form>
  )
}
