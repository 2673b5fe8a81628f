import { useEffect, useState, type KeyboardEvent } from 'react'
import { NavLink, useLocation } from 'react-router-dom'
import { mayRequest } from '@/domain/account/purchasing'
import { boot, selectFor } from '@/lib/boot'
import { isHome, paths } from '@/lib/paths'
import { useSession } from '@/lib/session'
import { useHereInView } from '@/lib/useHereInView'
import { NARROW, useMedia } from '@/lib/useMedia'
import { cx } from '@/ui/cx'
import { Icon } from '@/ui/Icon'
import { onIntent } from '@/ui/intent'
import { useFlyout } from '@/ui/useFlyout'
import styles from './NavigationBar.module.css'

const menu = onIntent(async () => {
  const { CategoryMenu, readyCategories } = await import(
    /* webpackChunkName: "category-menu" */ '@/domain/catalog/CategoryMenu'
  )
  void readyCategories()
  return { default: CategoryMenu }
})
const announcements = onIntent(() => import(/* webpackChunkName: "panels" */ './Announcements'))

/**
 * 全部商品分类: on a wide home page the column is part of the page and always open. On other pages it
 * opens over the content.
 */
function AllCategories() {
  const { pathname, search } = useLocation()
  const isNarrow = useMedia(NARROW)
  const flyout = useFlyout()
  const { close } = flyout
  const [movedByArrow, setByArrow] = useState(false)
  const own = isHome(pathname) && !isNarrow
  // oxlint-disable-next-line react-hooks/exhaustive-deps -- a new address closes it, and only that
  useEffect(close, [pathname, search])
  const onArrow = (event: KeyboardEvent<HTMLButtonElement>): void => {
    if (event.key !== 'ArrowDown' || own) return
    event.preventDefault()
    setByArrow(true)
    flyout.show()
  }
  return (
    <div
      {...flyout.root}
      role="presentation"
      className={styles.all}
      onMouseEnter={menu.ready}
      onFocus={menu.ready}
    >
      <button
        type="button"
        {...flyout.trigger}
        aria-expanded={own || flyout.open}
        onKeyDown={onArrow}
      >
        <Icon name="menu" size={18} />
        全部商品分类
      </button>
      {flyout.open && !own && (
        <div className={styles.pop}>
          <menu.Part isFocused={movedByArrow} />
        </div>
      )}
    </div>
  )
}

/** The newest announcement. A dialog lists all of them. */
function Notice() {
  const person = useSession()
  const [open, setOpen] = useState(false)
  const rows = selectFor(boot.Announcements, person !== null)
  if (!rows[0]) return null
  return (
    <>
      <button
        type="button"
        className={styles.notice}
        aria-haspopup="dialog"
        onPointerEnter={announcements.ready}
        onFocus={announcements.ready}
        onClick={() => setOpen(true)}
      >
        <Icon name="horn" size={18} />
        <b>公告</b>
        <span>{rows[0].Title}</span>
        {rows.length > 1 && <small>共 {rows.length} 条</small>}
      </button>
      {open && <announcements.Part onClose={() => setOpen(false)} />}
    </>
  )
}

/** The main entries under the search. Add an entry for each new screen that belongs here. */
export function NavigationBar() {
  const person = useSession()
  const { pathname } = useLocation()
  const entries = useHereInView<HTMLElement>(pathname)
  return (
    <div data-chrome className={styles.nav}>
      <div className={styles.inner}>
        <AllCategories />
        <nav ref={entries} className={styles.entries} aria-label="主导航">
          <NavLink to={paths.home()} end className={cx(isHome(pathname) && styles.here)}>
            首页
          </NavLink>
          <NavLink to={paths.products()}>全部商品</NavLink>
          <NavLink to={paths.finder()}>耗材查找</NavLink>
          {person && (
            <>
              {mayRequest(person) && <NavLink to={paths.quickOrder()}>快速下单</NavLink>}
              <NavLink to={paths.rank()}>企业排行</NavLink>
              <NavLink to={paths.orders()}>我的订单</NavLink>
            </>
          )}
        </nav>
        <Notice />
      </div>
    </div>
  )
}
