import { useQuery } from '@tanstack/react-query'
import { Link, useLocation } from 'react-router-dom'
import { useMayRequest } from '@/domain/account/purchasing'
import { badge, cartCount } from '@/domain/cart/cart'
import { boot } from '@/lib/boot'
import { paths } from '@/lib/paths'
import { useSession } from '@/lib/session'
import { cx } from '@/ui/cx'
import { Icon } from '@/ui/Icon'
import { useFlyout } from '@/ui/useFlyout'
import styles from './SideBar.module.css'
import { useScrolled } from './useScrolled'

/** At the right edge of every mall page: the cart, contact, and the button to the top. */
export function SideBar() {
  const uid = useSession()?.User.uid
  const hasCart = useMayRequest()
  const { data } = useQuery({ ...cartCount(uid ?? ''), enabled: uid !== undefined && hasCart })
  const isScrolled = useScrolled(400)
  const isAsking = useLocation().pathname === paths.assistant()
  const { open, root, trigger } = useFlyout<HTMLElement>()
  const { ServiceHours, Phone } = boot.Footer
  return (
    <aside
      data-chrome
      {...root}
      className={cx(styles.side, open && styles.open, isAsking && styles.asking)}
      aria-label="快捷栏"
    >
      {/* On a narrow screen the open bar would cover the page. */}
      <button type="button" {...trigger} className={styles.unfold} aria-label="快捷入口">
        <Icon name={open ? 'right' : 'left'} size={16} />
      </button>
      {uid !== undefined && !isAsking && (
        <Link to={paths.assistant()}>
          <Icon name="spark" />
          AI 咨询
        </Link>
      )}
      {hasCart && (
        <Link to={paths.cart()} className={styles.cart}>
          <Icon name="cart" />
          购物车
          {data ? <em>{badge(data)}</em> : null}
        </Link>
      )}
      {boot.Links.CustomerService && (
        <a href={boot.Links.CustomerService} target="_blank" rel="noreferrer">
          <Icon name="chat" />
          客服
          <span className={styles.card} aria-hidden>
            <b>在线客服</b>
            {ServiceHours}
            {Phone && <i>{Phone}</i>}
          </span>
        </a>
      )}
      <button
        type="button"
        className={cx(styles.top, isScrolled && styles.shown)}
        onClick={() => window.scrollTo({ top: 0, behavior: 'smooth' })}
      >
        <Icon name="top" />
        顶部
      </button>
    </aside>
  )
}
