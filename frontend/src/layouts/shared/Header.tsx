import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { Link, NavLink, useLocation } from 'react-router-dom'
import { badge, cartCount } from '@/domain/cart/cart'
import { CategoryMenu } from '@/domain/catalog/CategoryMenu'
import { isHome, paths } from '@/lib/paths'
import { useSession } from '@/lib/session'
import { cx } from '@/ui/cx'
import { Icon } from '@/ui/Icon'
import { Brand } from './Brand'
import styles from './Frame.module.css'
import { SearchBox } from './SearchBox'

/** True once the page has been scrolled past its first lines. */
const useScrolled = (): boolean =>
  useSyncExternalStore(
    (listener) => {
      window.addEventListener('scroll', listener, { passive: true })
      return () => window.removeEventListener('scroll', listener)
    },
    () => window.scrollY > 120,
  )

/** The search row; it stays at the top while the rest of the page scrolls away. */
export function Header({ lined = false }: { lined?: boolean }) {
  const uid = useSession()?.User.uid
  const { data } = useQuery({ ...cartCount(uid ?? ''), enabled: uid !== undefined })
  const scrolled = useScrolled()
  return (
    <header data-chrome className={cx(styles.header, lined && styles.lined, scrolled && styles.scrolled)}>
      <div className={cx(styles.inner, styles.row)}>
        <Brand />
        <SearchBox />
        <div className={styles.actions}>
          <Link className={styles.cart} to={paths.cart()}>
            <Icon name="cart" />
            购物车
            {data ? <em>{badge(data)}</em> : null}
          </Link>
        </div>
      </div>
    </header>
  )
}

/** 全部商品分类 and the main entries; the category column is open by default on home only, and there it is the page's own. */
export function NavigationBar() {
  const home = isHome(useLocation().pathname)
  const person = useSession()
  const [open, setOpen] = useState(false)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const { pathname, search } = useLocation()
  useEffect(() => setOpen(false), [pathname, search])
  const later = (next: boolean): void => {
    clearTimeout(timer.current)
    timer.current = setTimeout(() => setOpen(next), 120)
  }
  return (
    <div data-chrome className={styles.nav}>
      <div className={styles.inner}>
        <div className={styles.all} onMouseEnter={() => later(true)} onMouseLeave={() => later(false)} role="presentation">
          <button type="button" aria-expanded={home || open} onClick={() => setOpen(!open)}>
            <Icon name="menu" size={18} />
            全部商品分类
          </button>
          {open && !home && (
            <div className={styles.pop}>
              <CategoryMenu />
            </div>
          )}
        </div>
        <NavLink to={paths.home()} end>
          首页
        </NavLink>
        <NavLink to={paths.products()}>全部商品</NavLink>
        {person && <NavLink to={paths.orders()}>我的订单</NavLink>}
      </div>
    </div>
  )
}
