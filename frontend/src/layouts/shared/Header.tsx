import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router-dom'
import { useMayRequest } from '@/domain/account/purchasing'
import { badge, cartCount } from '@/domain/cart/cart'
import { paths } from '@/lib/paths'
import { useSession } from '@/lib/session'
import { cx } from '@/ui/cx'
import { Icon } from '@/ui/Icon'
import { Brand } from './Brand'
import styles from './Header.module.css'
import { SearchBox } from './SearchBox'
import { useScrolled } from './useScrolled'

/** The search row. It sticks to the top while the page scrolls. */
export function Header({ hasLine = false }: { hasLine?: boolean }) {
  const uid = useSession()?.User.uid
  const hasCart = useMayRequest()
  const { data } = useQuery({ ...cartCount(uid ?? ''), enabled: uid !== undefined && hasCart })
  const isScrolled = useScrolled(120)
  return (
    <header
      data-chrome
      className={cx(styles.header, hasLine && styles.lined, isScrolled && styles.scrolled)}
    >
      <div className={styles.row}>
        <Brand />
        <SearchBox />
        {hasCart && (
          <Link className={styles.select} to={paths.select()}>
            <Icon name="spark" />
            <span>一键选品</span>
          </Link>
        )}
        {hasCart && (
          <Link className={styles.cart} to={paths.cart()}>
            <Icon name="cart" />
            <span>购物车</span>
            {data ? <em>{badge(data)}</em> : null}
          </Link>
        )}
      </div>
    </header>
  )
}
