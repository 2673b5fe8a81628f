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

/** Choose the column of the template for each unknown header. The server remembers the choice. */
export function HeaderMapping({
  unknown: { Headers, Columns },
  onChosen,
}: {
  unknown: UnknownHeaders
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
