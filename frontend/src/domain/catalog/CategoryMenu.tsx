import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState, type KeyboardEvent } from 'react'
import { boot } from '@/lib/boot'
import { useSession } from '@/lib/session'
import { useMedia } from '@/lib/useMedia'
import { cx } from '@/ui/cx'
import { categoryIcon, Icon } from '@/ui/Icon'
import { onIntent } from '@/ui/intent'
import { Skeleton } from '@/ui/States'
import { categories, buildMenuGroups } from './categories'
import styles from './CategoryMenu.module.css'
import { useHoverIntent } from './useHoverIntent'

const pane = onIntent(() => import(/* webpackChunkName: "category-pane" */ './CategoryPane'))
/** Below this width there is no room beside the column: its first pane is open from the start. */
const ONE_SHEET = '(max-width: 900px)'

/** Load the code of the pane beside the column. */
export const readyCategories = pane.ready

const Waiting = ({ count }: { count: number }) =>
  Array.from({ length: count }, (_, index) => (
    <span key={index} className={styles.item}>
      <Skeleton width={120} />
    </span>
  ))

/** The provider's mall of industrial goods: for visitors, after the last group. */
const Industrial = ({ url }: { url: string }) => (
  <a className={styles.item} href={url} target="_blank" rel="noreferrer">
    <Icon name="tool" size={18} />
    <span>工业品</span>
    <Icon name="leave" size={14} label="在新窗口打开" />
  </a>
)

/**
 * The category column; its pane opens beside it on hover intent, by click, and by the arrow keys: →
 * into the pane, ← back. `focused`: it begins with the focus on its first group.
 */
export function CategoryMenu({ isFocused = false }: { isFocused?: boolean }) {
  const person = useSession()
  const { data } = useQuery(categories(person?.User.uid ?? null))
  const menu = useRef<HTMLDivElement>(null)
  const [wanted, setWanted] = useState<string | null>(null)
  const [into, setInto] = useState<string | null>(null)
  const groups = buildMenuGroups(data ?? [], person !== null)
  const isThere = groups.length > 0
  useEffect(() => {
    if (isFocused && isThere) menu.current?.querySelector<HTMLElement>('nav button')?.focus()
  }, [isFocused, isThere])
  const oneSheet = useMedia(ONE_SHEET)
  const open = wanted ?? (oneSheet ? (groups[0]?.name ?? null) : null)
  const intent = useHoverIntent(setWanted, open !== null)
  const shown = groups.find(({ name }) => name === open)

  const onItemKey = (event: KeyboardEvent<HTMLButtonElement>, name: string): void => {
    const beside = {
      ArrowDown: event.currentTarget.nextElementSibling,
      ArrowUp: event.currentTarget.previousElementSibling,
    }[event.key]
    if (beside instanceof HTMLElement) beside.focus()
    if (event.key === 'ArrowRight') {
      setWanted(name)
      setInto(name)
    }
    if (['ArrowDown', 'ArrowUp', 'ArrowRight'].includes(event.key)) event.preventDefault()
  }
  const onMenuKey = (event: KeyboardEvent): void => {
    if ((event.key !== 'Escape' && event.key !== 'ArrowLeft') || wanted === null) return
    // The first Esc closes the pane, the second the container of the menu.
    event.stopPropagation()
    menu.current?.querySelector<HTMLElement>('nav [aria-expanded="true"]')?.focus()
    close()
  }
  const close = (): void => {
    intent.now(null)
    setInto(null)
  }
  return (
    <div
      ref={menu}
      className={styles.menu}
      role="presentation"
      onPointerEnter={pane.ready}
      onFocus={pane.ready}
      onMouseMove={intent.onMove}
      onMouseLeave={() => intent.aim(null)}
      onKeyDown={onMenuKey}
      onBlur={(event) =>
        event.relatedTarget instanceof Node &&
        !event.currentTarget.contains(event.relatedTarget) &&
        close()
      }
    >
      <nav className={styles.list} aria-label="商品分类">
        {!data && <Waiting count={person ? 11 : 15} />}
        {groups.map(({ name }, index) => (
          <button
            key={name}
            type="button"
            className={cx(styles.item, open === name && styles.open)}
            aria-expanded={open === name}
            onMouseEnter={() => intent.aim(name)}
            onKeyDown={(event) => onItemKey(event, name)}
            onClick={() => intent.now(name)}
          >
            <Icon name={categoryIcon(index)} size={18} />
            <span>{name}</span>
            <Icon name="right" size={12} />
          </button>
        ))}
        {!person && boot.Links.IndustrialGoods && <Industrial url={boot.Links.IndustrialGoods} />}
      </nav>
      {shown && (
        <pane.Part
          key={shown.name}
          group={shown}
          isFocused={into === shown.name}
          onStay={intent.stay}
          onLeave={close}
        />
      )}
    </div>
  )
}
