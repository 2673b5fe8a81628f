import { useEffect } from 'react'
import { useLocation } from 'react-router-dom'
import { paths } from '@/lib/paths'
import { Button, ButtonLink } from '@/ui/Button'
import { Icon } from '@/ui/Icon'
import { ProductImage } from '@/ui/ProductImage'
import { toast } from '@/ui/toast'
import { compare, FULL, MOST_COMPARED, useCompared } from './compare'
import styles from './CompareTray.module.css'

/** Where one picks; elsewhere the foot of the page is for its own bar: 全部加入购物车, 去结算, the field of a question. */
const PICKING = /^\/(?:product\/(?:index|detail)|\d+\.html)$/

/** 对比栏: what has been picked, over the lists and products, until it is compared or cleared. */
export default function CompareTray() {
  const picked = useCompared()
  const { pathname } = useLocation()
  // That there are too many is no longer the matter once one has gone, or they stand side by side.
  useEffect(() => toast.forget(FULL), [picked.length, pathname])
  if (!picked.length || !PICKING.test(pathname)) return null
  const more = 2 - picked.length
  return (
    <section data-chrome data-tray className={styles.tray} aria-label="对比栏">
      <ul>
        {picked.map((one) => (
          <li key={one.ProductCode}>
            <ProductImage src={one.ImageUrl} alt="" />
            <span title={one.CustomerProductName}>{one.CustomerProductName}</span>
            <button type="button" aria-label={`移除${one.CustomerProductName}`} onClick={() => compare.drop(one.ProductCode)}>
              <Icon name="close" size={12} />
            </button>
          </li>
        ))}
        {Array.from({ length: MOST_COMPARED - picked.length }, (_, index) => (
          <li key={index} className={styles.free} aria-hidden>
            {picked.length + index + 1}
          </li>
        ))}
      </ul>
      <div className={styles.acts}>
        {more > 0 ? <span>再选 {more} 件即可对比</span> : <ButtonLink look="primary" icon="swap" to={paths.compare(picked.map(({ ProductCode }) => ProductCode))}>对比 {picked.length} 件</ButtonLink>}
        <Button look="text" onClick={compare.clear}>
          清空
        </Button>
      </div>
    </section>
  )
}
