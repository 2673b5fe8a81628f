import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link, NavLink, useLocation } from 'react-router-dom'
import { mayUse, menuCodes } from '@/domain/account/account'
import { useSession } from '@/lib/session'
import { read, write } from '@/lib/storage'
import { useHereInView } from '@/lib/useHereInView'
import { useMedia } from '@/lib/useMedia'
import { cx } from '@/ui/cx'
import { Icon } from '@/ui/Icon'
import { useFlyout } from '@/ui/useFlyout'
import { MENU, getPlace, visibleMenu, type MenuGroup } from './menu'
import styles from './LeftMenu.module.css'

const FOLDED = 'menuFolded'
/** At this width and below the menu is folded, so that tables have enough room. */
const TIGHT = '(max-width: 1280px)'

function Entries({ group, onLeave }: { group: MenuGroup; onLeave?: () => void }) {
  const { pathname } = useLocation()
  return group.entries.map((entry) => {
    // An entry with a query opens the page of another entry, so it is never marked as current.
    const Entry = entry.to.includes('?') ? Link : NavLink
    const isAbove = pathname !== entry.to && getPlace(pathname) === entry.to
    return (
      <Entry
        key={entry.to}
        to={entry.to}
        onClick={onLeave}
        {...(isAbove && { className: 'active', 'aria-current': 'true' as const })}
      >
        {entry.label}
      </Entry>
    )
  })
}

/** A group of the folded menu: its icon, with its entries beside it. */
function Folded({ group, here }: { group: MenuGroup; here: boolean }) {
  const flyout = useFlyout()
  return (
    <div {...flyout.root} role="presentation" className={styles.folded}>
      <button
        type="button"
        {...flyout.trigger}
        aria-label={group.label}
        className={cx(here && styles.here)}
      >
        <Icon name={group.icon} />
      </button>
      {flyout.open && (
        <div className={styles.flyout} role="group" aria-label={group.label}>
          <b>{group.label}</b>
          <Entries group={group} onLeave={flyout.close} />
        </div>
      )}
    </div>
  )
}

function Unfolded({ group }: { group: MenuGroup }) {
  return (
    <div className={styles.group} role="group" aria-label={group.label}>
      <h2>
        <Icon name={group.icon} size={18} />
        {group.label}
      </h2>
      <Entries group={group} />
    </div>
  )
}

/**
 * The user centre entries that this user may use. The menu folds to icons on a narrow screen or on
 * the user's choice.
 */
export function LeftMenu({ pathname }: { pathname: string }) {
  const person = useSession()
  const { data = [] } = useQuery({
    ...menuCodes(person?.User.uid ?? ''),
    enabled: person !== null && person.User.utype !== 'GA',
  })
  const isTight = useMedia(TIGHT)
  const [isChosen, setChosen] = useState(() => read<boolean>('local', FOLDED))
  const isFolded = isChosen ?? isTight
  const fold = (): void => {
    write('local', FOLDED, !isFolded)
    setChosen(!isFolded)
  }
  const groups = visibleMenu(MENU, (code) => mayUse(code, person, data))
  return (
    <nav data-chrome className={cx(styles.menu, isFolded && styles.rail)} aria-label="个人中心">
      {groups.map((group) =>
        isFolded ? (
          <Folded
            key={group.label}
            group={group}
            here={group.entries.some(({ to }) => to === getPlace(pathname))}
          />
        ) : (
          <Unfolded key={group.label} group={group} />
        ),
      )}
      <button
        type="button"
        className={styles.fold}
        onClick={fold}
        aria-label={isFolded ? '展开菜单' : '收起菜单'}
      >
        <Icon name={isFolded ? 'right' : 'left'} size={14} />
        {!isFolded && '收起菜单'}
      </button>
    </nav>
  )
}

/** The menu on a narrow screen: one line that scrolls sideways. */
export function MenuLine() {
  const person = useSession()
  const { data = [] } = useQuery({
    ...menuCodes(person?.User.uid ?? ''),
    enabled: person !== null && person.User.utype !== 'GA',
  })
  const groups = visibleMenu(MENU, (code) => mayUse(code, person, data))
  // The rights load after the first render and can add entries.
  const line = useHereInView<HTMLElement>(
    `${useLocation().pathname} ${groups.flatMap(({ entries }) => entries).length}`,
  )
  return (
    <nav ref={line} data-chrome className={styles.line} aria-label="个人中心">
      {groups.map((group) => (
        <Entries key={group.label} group={group} />
      ))}
    </nav>
  )
}
