import type { ReactNode } from 'react'
import { Link } from 'react-router-dom'
import type { ReviewedLine } from '@/domain/reviews/reviews'
import { paths } from '@/lib/paths'
import { getProductTitle } from '@/lib/productTitle'
import { ProductImage } from '@/ui/ProductImage'
import styles from './review.module.css'

/** A received line on the left, its review on the right. */
export const Goods = ({ line, children }: { line: ReviewedLine; children: ReactNode }) => (
  <article className={styles.line} aria-label={getProductTitle(line)}>
    <div className={styles.what}>
      <span className={styles.picture}>
        <ProductImage src={line.ImageUrl} alt="" />
      </span>
      <span>
        <Link to={paths.product(line.ProductCode)}>{getProductTitle(line)}</Link>
        <small>编码 {line.ProductCode}</small>
        <small>
          已收 {line.ReceivedQuantity} {line.Unit}
        </small>
      </span>
    </div>
    <div className={styles.said}>{children}</div>
  </article>
)
