import { useQuery } from '@tanstack/react-query'
import { useId, useLayoutEffect, useRef, useState } from 'react'
import { mentionable } from '@/domain/approvals/approvals'
import { cx } from '@/ui/cx'
import { Field, Textarea } from '@/ui/Field'
import styles from './talk.module.css'

/** The maximum number of suggestions without scrolling. Another letter finds the others. */
const OFFERED = 6

export interface Person {
  Id: string
  Name: string
}

/** The text between an @ and the caret; null if no name is being typed. */
function typedName(element: HTMLTextAreaElement): string | null {
  return /@([^\s@]{0,20})$/.exec(element.value.slice(0, element.selectionStart))?.[1] ?? null
}

interface Props {
  approvalId: string
  text: string
  onText: (text: string) => void
  onMention: (person: Person) => void
  onSend: () => void
}

/**
 * A text field in which @ suggests colleagues: arrow keys choose, Enter accepts, Esc closes,
 * Ctrl+Enter sends.
 */
export function MentionBox({ approvalId, text, onText, onMention, onSend }: Props) {
  const [name, setName] = useState<string | null>(null)
  const [at, setAt] = useState(0)
  const list = useId()
  const box = useRef<HTMLDivElement>(null)
  /** The caret position after the name is inserted. */
  const caretTo = useRef<number | null>(null)
  useLayoutEffect(() => {
    if (caretTo.current === null) return
    box.current?.querySelector('textarea')?.setSelectionRange(caretTo.current, caretTo.current)
    caretTo.current = null
  }, [text])
  const { data } = useQuery(mentionable(approvalId, name))
  const offered = name === null ? [] : (data ?? []).slice(0, OFFERED)
  const chosen = offered[Math.min(at, offered.length - 1)]
  const look = (element: HTMLTextAreaElement): void => {
    setName(typedName(element))
    setAt(0)
  }
  const take = (person: Person): void => {
    const element = box.current?.querySelector('textarea')
    if (!element) return
    const caret = element.selectionStart
    const before = text.slice(0, caret).replace(/@[^\s@]{0,20}$/, `@${person.Name} `)
    caretTo.current = before.length
    onText(before + text.slice(caret))
    onMention(person)
    setName(null)
    element.focus()
  }
  const press = (event: React.KeyboardEvent<HTMLTextAreaElement>): void => {
    if (event.nativeEvent.isComposing) return
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) return onSend()
    if (!chosen) return
    const moves: Record<string, () => void> = {
      ArrowDown: () => setAt((at + 1) % offered.length),
      ArrowUp: () => setAt((at + offered.length - 1) % offered.length),
      Enter: () => take(chosen),
      Tab: () => take(chosen),
      Escape: () => setName(null),
    }
    const move = moves[event.key]
    if (!move) return
    event.preventDefault()
    event.stopPropagation()
    move()
  }
  return (
    <div ref={box} className={styles.box}>
      <Field label="写评论" hint="输入 @ 提到同事，被提到的人可以查看这张单据；Ctrl + Enter 发送">
        <Textarea
          rows={2}
          maxLength={1000}
          value={text}
          aria-autocomplete="list"
          aria-controls={chosen ? list : undefined}
          aria-activedescendant={chosen ? `${list}-${chosen.Id}` : undefined}
          onChange={(event) => {
            onText(event.target.value)
            look(event.target)
          }}
          onClick={(event) => look(event.currentTarget)}
          onKeyDown={press}
          onBlur={() => setName(null)}
        />
      </Field>
      {chosen && (
        <ul id={list} role="listbox" aria-label="提到同事" className={styles.offered}>
          {offered.map((person) => (
            <li
              key={person.Id}
              id={`${list}-${person.Id}`}
              role="option"
              aria-selected={person === chosen}
              className={cx(person === chosen && styles.chosen)}
              onMouseDown={(event) => {
                event.preventDefault()
                take(person)
              }}
            >
              {person.Name}
              <small>{person.Department}</small>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}
