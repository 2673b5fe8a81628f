import { useQuery } from '@tanstack/react-query'
import { useEffect, useState, type KeyboardEvent } from 'react'
import { Link, useNavigate, useSearchParams } from 'react-router-dom'
import { hotWords } from '@/domain/catalog/products'
import { beside, suggestedProducts, type Suggestion } from '@/domain/catalog/suggest'
import { paths } from '@/lib/paths'
import { useSession } from '@/lib/session'
import { useCalm } from '@/lib/useCalm'
import { cx } from '@/ui/cx'
import { Icon } from '@/ui/Icon'
import { toast } from '@/ui/toast'
import styles from './SearchBox.module.css'

function useSettled(value: string, milliseconds: number): string {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), milliseconds)
    return () => clearTimeout(timer)
  }, [value, milliseconds])
  return settled
}

function HotWords() {
  const uid = useSession()?.User.uid
  const calm = useCalm()
  const { data } = useQuery({ ...hotWords(uid ?? ''), enabled: uid !== undefined && calm })
  if (uid === undefined) return null
  return (
    <div className={styles.hot} role="group" aria-label="热门搜索" data-hot>
      {data?.map(({ Keywords, IsHighlight }) => (
        <Link key={Keywords} to={paths.products({ Keyword: Keywords })} className={cx(IsHighlight && styles.highlight)}>
          {Keywords}
        </Link>
      ))}
    </div>
  )
}

interface ListProps {
  rows: readonly Suggestion[]
  chosen: number
  onTake: (index: number) => void
}

function Suggestions({ rows, chosen, onTake }: ListProps) {
  return (
    <div id="search-suggestions" className={styles.list} role="listbox" aria-label="搜索建议">
      {rows.map(({ group, label, note, to }, index) => (
        <div key={group + to}>
          {group !== rows[index - 1]?.group && (
            <p className={styles.group} aria-hidden>
              {group}
            </p>
          )}
          {/* oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- the combobox above handles the keys */}
          <div
            id={`suggestion-${index}`}
            className={styles.option}
            role="option"
            aria-label={`${group}：${label}`}
            tabIndex={-1}
            aria-selected={index === chosen}
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => onTake(index)}
          >
            <span>{label}</span>
            {note && <small>{note}</small>}
          </div>
        </div>
      ))}
    </div>
  )
}

/** The search of the header: suggestions while typing (one's own latest words before), walked by the arrow keys. */
export function SearchBox() {
  const navigate = useNavigate()
  const person = useSession()
  const [params] = useSearchParams()
  const asked = params.get('Keyword') ?? ''
  const [text, setText] = useState(asked)
  const [open, setOpen] = useState(false)
  const [chosen, setChosen] = useState(-1)
  const key = useSettled(text.trim(), 180)
  const uid = person?.User.uid ?? null
  const { data: groups = [] } = useQuery({ ...beside(key, uid), enabled: open && (key !== '' || uid !== null) })
  const { data: found = [] } = useQuery({ ...suggestedProducts(key, uid), enabled: open && key !== '' })
  const typed = text.trim() !== ''
  const rows = open && (typed || uid) ? [...groups, ...(typed ? found : [])] : []
  useEffect(() => {
    setText(asked)
    setOpen(false)
  }, [asked])

  const go = (to: string): void => {
    setOpen(false)
    void navigate(to)
  }
  const search = (): void => {
    const wanted = text.trim()
    if (wanted) go(paths.products({ Keyword: wanted }))
    else toast.error('请输入搜索关键词')
  }
  const take = (index: number): void => {
    const row = rows[index]
    if (!row) return
    setText(row.label)
    go(row.to)
  }
  const onKey = (event: KeyboardEvent): void => {
    if (event.key === 'Escape') setOpen(false)
    const move = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    if (!move) return
    event.preventDefault()
    if (!open) setOpen(true)
    // -1 is the typed text itself, between the last row and the first.
    else setChosen(((chosen + 1 + move + rows.length + 1) % (rows.length + 1)) - 1)
  }
  return (
    <div className={styles.wrap} onBlur={(event) => !event.currentTarget.contains(event.relatedTarget) && setOpen(false)}>
      <form
        className={styles.box}
        role="search"
        onSubmit={(event) => {
          event.preventDefault()
          if (open && rows[chosen]) take(chosen)
          else search()
        }}
      >
        <input
          type="search"
          role="combobox"
          aria-label="搜索商品"
          aria-expanded={rows.length > 0}
          aria-controls="search-suggestions"
          aria-activedescendant={rows[chosen] ? `suggestion-${chosen}` : undefined}
          placeholder="商品名称、型号、编码或物料号"
          autoComplete="off"
          maxLength={100}
          value={text}
          onFocus={() => setOpen(true)}
          onKeyDown={onKey}
          onChange={(event) => {
            setText(event.target.value)
            setChosen(-1)
            setOpen(true)
          }}
        />
        <button type="submit">
          <Icon name="search" size={18} />
          搜索
        </button>
      </form>
      <HotWords />
      {rows.length > 0 && <Suggestions rows={rows} chosen={chosen} onTake={take} />}
    </div>
  )
}
