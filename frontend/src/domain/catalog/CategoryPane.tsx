import { useEffect, useRef, type KeyboardEvent } from 'react'
import { Link } from 'react-router-dom'
import type { CategoryLink } from '@/api/schema'
import { paths } from '@/lib/paths'
import type { MenuGroup } from './categories'
import styles from './CategoryPane.module.css'

interface PaneProps {
  group: MenuGroup
  /** Opened with →: focus the first link. */
  isFocused: boolean
  onStay: () => void
  onLeave: () => void
}

type Counted = CategoryLink & { ProductCounts?: number }

/** ↑ and ↓ move through the links in reading order. */
function onPaneKey(event: KeyboardEvent<HTMLDivElement>): void {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
  if (!step) return
  event.preventDefault()
  const links = [...event.currentTarget.querySelectorAll('a')]
  const at = links.indexOf(document.activeElement as HTMLAnchorElement)
  links[(at + step + links.length) % links.length]?.focus()
}

/** The second and third level of a group, with product counts. */
export default function CategoryPane({ group, isFocused, onStay, onLeave }: PaneProps) {
  const pane = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (isFocused) pane.current?.querySelector('a')?.focus()
  }, [isFocused])
  const to = ({ CategoryId, Name, ProductCounts }: Counted, className?: string) => (
    <Link
      key={CategoryId}
      className={className}
      to={paths.products({ Cid: CategoryId })}
      onClick={onLeave}
    >
      {Name}
      {ProductCounts !== undefined && <small>{ProductCounts}</small>}
    </Link>
  )
  return (
    <div
      ref={pane}
      className={styles.pane}
      onMouseEnter={onStay}
      onKeyDown={onPaneKey}
      role="group"
      aria-label={group.name}
    >
      {group.roots.map(({ C1, Category2List }) => (
        <section key={C1.CategoryId} className={styles.root}>
          {to(C1, styles.first)}
          {Category2List.map(({ C2, Category3List }) => (
            <div key={C2.CategoryId} className={styles.row}>
              {to(C2, styles.second)}
              <div className={styles.thirds}>{Category3List.map(({ C3 }) => to(C3))}</div>
            </div>
          ))}
        </section>
      ))}
    </div>
  )
}
