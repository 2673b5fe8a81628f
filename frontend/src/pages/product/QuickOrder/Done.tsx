import { Link } from 'react-router-dom'
import { paths } from '@/lib/paths'
import { Icon } from '@/ui/Icon'
import type { Filled } from './Bar'
import styles from './quick.module.css'

/** The result of adding the lines to the cart. */
export default function Done({ filled: { added, leftOut } }: { filled: Filled }) {
  return (
    <div className={styles.done} role="status">
      <Icon name={added ? 'check' : 'warn'} size={18} />
      <span>
        {added > 0 && `已把 ${added} 种商品加入购物车。`}
        {leftOut.size > 0 && `${leftOut.size} 种没有加入，原因见下方各行。`}
      </span>
      {added > 0 && <Link to={paths.cart()}>去购物车结算</Link>}
    </div>
  )
}
