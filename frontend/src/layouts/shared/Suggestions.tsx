import { useQuery } from '@tanstack/react-query'
import { useEffect, useMemo, useState } from 'react'
import { beside, suggestedProducts, type Suggestion } from '@/domain/catalog/suggest'
import styles from './Suggestions.module.css'

/** How long the typing must pause before anything is asked, in milliseconds. */
const PAUSE = 180
const NONE: readonly Suggestion[] = []

function useSettled(value: string): string {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), PAUSE)
    return () => clearTimeout(timer)
  }, [value])
  return settled
}

/** What to offer for this text: the groups beside, then products; one's own latest words alone for nothing typed. */
function useSuggestions(text: string, uid: string | null): readonly Suggestion[] {
  const typed = text.trim()
  const key = useSettled(typed)
  const { data: groups = NONE } = useQuery({ ...beside(key, uid), enabled: key !== '' || uid !== null })
  const { data: products = NONE } = useQuery({ ...suggestedProducts(key, uid), enabled: key !== '' })
  return useMemo(() => (typed === '' && uid === null ? NONE : [...groups, ...(typed === '' ? NONE : products)]), [typed, uid, groups, products])
}

interface SuggestionsProps {
  text: string
  uid: string | null
  rows: readonly Suggestion[]
  chosen: number
  /** Tells the box, whose keys walk them, what there is. */
  onRows: (rows: readonly Suggestion[]) => void
  onTake: (index: number) => void
}

export default function Suggestions({ text, uid, rows, chosen, onRows, onTake }: SuggestionsProps) {
  const found = useSuggestions(text, uid)
  useEffect(() => onRows(found), [found, onRows])
  if (rows.length === 0) return null
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
