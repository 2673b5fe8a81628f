import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState, type KeyboardEvent } from 'react'
import { Link } from 'react-router-dom'
import type { CategoryLink } from '@/api/schema'
import { boot } from '@/lib/boot'
import { paths } from '@/lib/paths'
import { useSession } from '@/lib/session'
import { cx } from '@/ui/cx'
import { CATEGORY_ICONS, Icon } from '@/ui/Icon'
import { Skeleton } from '@/ui/States'
import { categories, menuGroups, type MenuGroup } from './categories'
import styles from './CategoryMenu.module.css'
import { useHoverIntent } from './useHoverIntent'

/** The second and third levels of one group. */
function Pane({ group, onStay, onLeave }: { group: MenuGroup; onStay: () => void; onLeave: () => void }) {
  const to = (category: CategoryLink, className?: string) => (
    <Link key={category.CategoryId} className={className} to={paths.products({ Cid: category.CategoryId })} onClick={onLeave}>
      {category.Name}
    </Link>
  )
  return (
    <div className={styles.pane} onMouseEnter={onStay} role="group" aria-label={group.name}>
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

/** The category column; its pane opens beside it on hover intent, by click, and by the arrow keys: → into the pane, ← back. */
export function CategoryMenu() {
  const person = useSession()
  const { data } = useQuery(categories(person?.User.uid ?? null))
  const menu = useRef<HTMLDivElement>(null)
  const [open, setOpen] = useState<string | null>(null)
  const [into, setInto] = useState(false)
  const intent = useHoverIntent(setOpen, open !== null)
  const groups = menuGroups(data ?? [], person !== null)
  const shown = groups.find(({ name }) => name === open)
  useEffect(() => {
    if (!into || open === null) return
    menu.current?.querySelector<HTMLElement>('[role="group"] a')?.focus()
    setInto(false)
  }, [into, open])

  const onItemKey = (event: KeyboardEvent<HTMLButtonElement>, name: string): void => {
    const beside = { ArrowDown: event.currentTarget.nextElementSibling, ArrowUp: event.currentTarget.previousElementSibling }[event.key]
    if (beside instanceof HTMLElement) beside.focus()
    if (event.key === 'ArrowRight') {
      setOpen(name)
      setInto(true)
    }
    if (['ArrowDown', 'ArrowUp', 'ArrowRight'].includes(event.key)) event.preventDefault()
  }
  const onMenuKey = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape' && event.key !== 'ArrowLeft') return
    menu.current?.querySelector<HTMLElement>('[aria-expanded="true"]')?.focus()
    setOpen(null)
  }
  return (
    <div
      ref={menu}
      className={styles.menu}
      role="presentation"
      onMouseMove={intent.onMove}
      onMouseLeave={() => intent.aim(null)}
      onKeyDown={onMenuKey}
      onBlur={(event) => event.relatedTarget instanceof Node && !event.currentTarget.contains(event.relatedTarget) && setOpen(null)}
    >
      <nav className={styles.list} aria-label="商品分类">
        {!data && Array.from({ length: person ? 11 : 15 }, (_, index) => <span key={index} className={styles.item}><Skeleton width={120} /></span>)}
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
            <Icon name={CATEGORY_ICONS[index % 15] ?? 'box'} size={18} />
            <span>{name}</span>
            <Icon name="right" size={12} />
          </button>
        ))}
        {!person && boot.Links.IndustrialGoods && (
          <a className={styles.item} href={boot.Links.IndustrialGoods} target="_blank" rel="noreferrer">
            <Icon name="tool" size={18} />
            <span>工业品</span>
          </a>
        )}
      </nav>
      {shown && <Pane key={shown.name} group={shown} onStay={intent.stay} onLeave={() => intent.now(null)} />}
    </div>
  )
}
