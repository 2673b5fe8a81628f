import { useQuery } from '@tanstack/react-query'
import { useId, useState, type ClipboardEvent, type KeyboardEvent } from 'react'
import { suggestedProducts } from '@/domain/catalog/suggest'
import { useSettled } from '@/lib/useSettled'
import styles from './quick.module.css'

const PAUSE = 180

interface CellProps {
  uid: string
  label: string
  value: string
  onChange: (text: string) => void
  /** Called on Enter when no suggestion is active. */
  onEnter: () => void
  onPaste: (event: ClipboardEvent<HTMLInputElement>) => void
  /** Called when the user picks a suggested product. */
  onTake: (code: string) => void
  inputRef: (element: HTMLInputElement | null) => void
}

/** An input for a code, model or name, with suggestions. */
export function Cell({
  uid,
  label,
  value,
  onChange,
  onEnter,
  onPaste,
  onTake,
  inputRef,
}: CellProps) {
  const [open, setOpen] = useState(false)
  const [walked, setWalked] = useState(-1)
  const list = useId()
  const key = useSettled(value.trim(), PAUSE)
  const { data } = useQuery({ ...suggestedProducts(key, uid), enabled: open && key !== '' })
  const rows = open && value.trim() && key ? (data ?? []).slice(0, 8) : []
  const take = (code: string): void => {
    setOpen(false)
    onTake(code)
  }
  const onKey = (event: KeyboardEvent<HTMLInputElement>): void => {
    if (event.nativeEvent.isComposing) return
    const move = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    if (move && rows.length) {
      event.preventDefault()
      setWalked(((walked + 1 + move + rows.length + 1) % (rows.length + 1)) - 1)
    }
    if (event.key === 'Escape') setOpen(false)
    if (event.key !== 'Enter' || event.ctrlKey || event.metaKey) return
    event.preventDefault()
    const row = rows[walked]
    if (row?.note) take(row.note)
    else {
      setOpen(false)
      onEnter()
    }
  }
  return (
    <span className={styles.cell}>
      <input
        ref={inputRef}
        role="combobox"
        aria-label={label}
        aria-expanded={rows.length > 0}
        aria-controls={list}
        aria-activedescendant={rows[walked] ? `${list}-${walked}` : undefined}
        autoComplete="off"
        maxLength={200}
        placeholder="编码、物料编码、型号或名称"
        value={value}
        onChange={(event) => {
          onChange(event.target.value)
          setWalked(-1)
          setOpen(true)
        }}
        onBlur={() => setOpen(false)}
        onPaste={onPaste}
        onKeyDown={onKey}
      />
      {rows.length > 0 && (
        <div id={list} className={styles.suggestions} role="listbox" aria-label={`${label}的建议`}>
          {rows.map(({ label: name, note = '' }, index) => (
            // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- the combobox above handles the keys
            <div
              key={note}
              id={`${list}-${index}`}
              role="option"
              tabIndex={-1}
              aria-selected={index === walked}
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => take(note)}
            >
              <span>{name}</span>
              <small>{note}</small>
            </div>
          ))}
        </div>
      )}
    </span>
  )
}
