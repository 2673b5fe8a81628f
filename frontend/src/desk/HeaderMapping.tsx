import { Button, Select } from 'antd'
import { useState } from 'react'
import { isApiError } from '@/api/errors'
import styles from './importDialog.module.css'

/** The headers of the sheet that the template does not have, and the columns that it lacks. */
export interface UnknownHeaders {
  Headers: string[]
  Columns: string[]
}

/** The unknown headers of a refused sheet, or null if it was refused for another reason. */
export const unknownHeadersOf = (error: unknown): UnknownHeaders | null => {
  const body = isApiError(error, 'file_refused')
    ? (error.body as Partial<UnknownHeaders> | null)
    : null
  return body?.Headers?.length ? { Headers: body.Headers, Columns: body.Columns ?? [] } : null
}

export type Mapping = Readonly<Record<string, string>>

/** The remembered columns that a preview has used, and the columns that its sheet lacks. */
export interface UsedMapping {
  Columns: Mapping
  Choices: string[]
}

/** Say how the sheet was read, because a remembered choice may be wrong, and let it be changed. */
export function UsedMappingNote({
  used,
  isRemembered,
  onChange,
}: {
  used: UsedMapping
  isRemembered: boolean
  onChange: () => void
}) {
  const pairs = Object.entries(used.Columns).map(
    ([header, column]) => `${header} → ${column || '不导入'}`,
  )
  return (
    <p className={styles.used}>
      <span>
        {isRemembered ? '按上次的列对应' : '按所选的列对应'}：{pairs.join('；')}
      </span>
      <Button size="small" onClick={onChange}>
        修改
      </Button>
    </p>
  )
}

/**
 * Choose the column of the template for each header, beginning with `first`. The server remembers
 * the choice.
 */
export function HeaderMapping({
  unknown: { Headers, Columns },
  first = {},
  onChosen,
}: {
  unknown: UnknownHeaders
  first?: Mapping
  onChosen: (mapping: Mapping) => void
}) {
  const [chosen, setChosen] = useState<Mapping>(first)
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
