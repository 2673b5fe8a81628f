import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useMemo } from 'react'
import { MAX_KEYWORD_LENGTH } from '@/domain/catalog/keywordLength'
import { beside, forgetSearch, suggestedProducts, type Suggestion } from '@/domain/catalog/suggest'
import { useSettled } from '@/lib/useSettled'
import { cx } from '@/ui/cx'
import styles from './Suggestions.module.css'

/** Debounce of the suggestion request, in milliseconds. */
const PAUSE = 180
const NONE: readonly Suggestion[] = []

/**
 * The suggestions for a text: groups at the side, then products. Without text, only the user's own
 * latest searches.
 */
function useSuggestions(text: string, uid: string | null): readonly Suggestion[] {
  const typed = text.trim()
  const settled = useSettled(typed, PAUSE)
  // A text over the limit is not sent, and has no suggestions.
  const key = settled.length > MAX_KEYWORD_LENGTH ? '' : settled
  const { data: groups = NONE } = useQuery({
    ...beside(key, uid),
    enabled: key !== '' || uid !== null,
  })
  const { data: products = NONE } = useQuery({
    ...suggestedProducts(key, uid),
    enabled: key !== '',
  })
  const forget = useForget()
  return useMemo(
    () =>
      typed.length > MAX_KEYWORD_LENGTH || (typed === '' && uid === null)
        ? NONE
        : [
            ...groups.map((row) =>
              row.group === '最近搜索' ? { ...row, drop: () => forget(row.label) } : row,
            ),
            ...(typed === '' ? NONE : products),
          ],
    [typed, uid, groups, products, forget],
  )
}

/** Deletes one of the user's own searches, or all of them, and refetches the rest. */
function useForget(): (word?: string) => void {
  const client = useQueryClient()
  return useMemo(
    () => (word) => {
      void forgetSearch(word).then(
        () => client.invalidateQueries({ queryKey: ['suggest', 'beside'] }),
        () => undefined,
      )
    },
    [client],
  )
}

interface SuggestionsProps {
  text: string
  uid: string | null
  rows: readonly Suggestion[]
  chosen: number
  /** Passes the options to the search box, which handles the keys. */
  onRows: (rows: readonly Suggestion[]) => void
  onTake: (index: number) => void
}

export default function Suggestions({ text, uid, rows, chosen, onRows, onTake }: SuggestionsProps) {
  const found = useSuggestions(text, uid)
  const forget = useForget()
  useEffect(() => onRows(found), [found, onRows])
  useEffect(() => {
    // Braces are needed: in newer browsers scrollIntoView returns a promise, and an effect must not
    // return one.
    document.getElementById(`suggestion-${chosen}`)?.scrollIntoView({ block: 'nearest' })
  }, [chosen])
  const long = text.trim().length
  if (long > MAX_KEYWORD_LENGTH)
    return (
      <p className={cx(styles.panel, styles.tooLong)} role="alert">
        搜索词最多 {MAX_KEYWORD_LENGTH} 个字，已输入 {long} 个，请删减后再搜索
      </p>
    )
  if (rows.length === 0) return null
  return (
    <div className={styles.panel}>
      <div id="search-suggestions" className={styles.list} role="listbox" aria-label="搜索建议">
        {rows.map(({ group, label, note, to, drop }, index) => (
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
              {/* For the pointer only. Keyboard users press Delete, as the footer of the panel says. */}
              {drop && (
                // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-static-element-interactions
                <i
                  aria-hidden
                  title="删除这条记录"
                  onClick={(event) => {
                    event.stopPropagation()
                    drop()
                  }}
                >
                  ×
                </i>
              )}
            </div>
          </div>
        ))}
      </div>
      {rows[0]?.drop && (
        <p className={styles.foot}>
          <span>选中后按 Delete 删除一条</span>
          <button type="button" onClick={() => forget()}>
            清空搜索记录
          </button>
        </p>
      )}
    </div>
  )
}
