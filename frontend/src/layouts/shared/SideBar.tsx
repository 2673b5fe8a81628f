import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router-dom'
import { badge, cartCount } from '@/domain/cart/cart'
import { boot } from '@/lib/boot'
import { paths } from '@/lib/paths'
import { useSession } from '@/lib/session'
import { Icon } from '@/ui/Icon'
import styles from './Frame.module.css'

export function SideBar() {
  const uid = useSession()?.User.uid
  const { data } = useQuery({ ...cartCount(uid ?? ''), enabled: uid !== undefined })
  return (
    <aside data-chrome className={styles.side} aria-label="快捷栏">
      <Link to={paths.cart()}>
        <Icon name="cart" />
        购物车
        {data ? <em>{badge(data)}</em> : null}
      </Link>
      {boot.Links.CustomerService && (
        <a href={boot.Links.CustomerService} target="_blank" rel="noreferrer">
          <Icon name="chat" />
          客服
        </a>
      )}
      <button type="button" onClick={() => window.scrollTo({ top: 0, behavior: 'smooth' })}>
        <Icon name="top" />
        顶部
      </button>
    </aside>
  )
}
