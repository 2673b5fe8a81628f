import { useEffect } from 'react'
import { useLocation } from 'react-router-dom'
import { paths } from '@/lib/paths'
import { getProductTitle } from '@/lib/productTitle'
import { Button, ButtonLink } from '@/ui/Button'
import { Icon } from '@/ui/Icon'
import { ProductImage } from '@/ui/ProductImage'
import { toast } from '@/ui/toast'
import { compare, FULL, MAX_COMPARED, useCompared } from './compare'
import styles from './CompareTray.module.css'

/**
 * Pages on which the tray is shown. On other pages the bottom has its own bar: 全部加入购物车, 去结算, the
 * question field.
 */
const PICKING = /^\/(?:product\/(?:index|detail)|\d+\.html)$/

/**
 * 对比栏: the selected products, above lists and product pages, until they are compared or cleared.
 */
export default function CompareTray() {
  const picked = useCompared()
  const { pathname } = useLocation()
  // Remove the message about too many products after one is removed or the comparison opens.
  useEffect(() => toast.forget(FULL), [picked.length, pathname])
  if (!picked.length || !PICKING.test(pathname)) return null
  const more = 2 - picked.length
  return (
    <section data-chrome data-tray className={styles.tray} aria-label="对比栏">
      <ul>
        {picked.map((one) => (
          <li key={one.ProductCode}>
            <ProductImage src={one.ImageUrl} alt="" />
            <span title={getProductTitle(one)}>{getProductTitle(one)}</span>
            <button
              type="button"
              aria-label={`移除${getProductTitle(one)}`}
              onClick={() => compare.drop(one.ProductCode)}
            >
              <Icon name="close" size={12} />
            </button>
          </li>
        ))}
        {Array.from({ length: MAX_COMPARED - picked.length }, (_, index) => (
          <li key={index} className={styles.free} aria-hidden>
            {picked.length + index + 1}
          </li>
        ))}
      </ul>
      <div className={styles.acts}>
        {more > 0 ? (
          <span>再选 {more} 件即可对比</span>
        ) : (
          <ButtonLink
            look="primary"
            icon="swap"
            to={paths.compare(picked.map(({ ProductCode }) => ProductCode))}
          >
            对比 {picked.length} 件
          </ButtonLink>
        )}
        <Button look="text" onClick={compare.clear}>
          清空
        </Button>
      </div>
    </section>
  )
}
