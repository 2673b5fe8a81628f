import type { ReactNode } from 'react'
import { Link } from 'react-router-dom'
import type { ReviewedLine } from '@/domain/reviews/reviews'
import { paths } from '@/lib/paths'
import { ProductImage } from '@/ui/ProductImage'
import styles from './review.module.css'

/** A received line on the left, its review on the right. */
export const Goods = ({ line, children }: { line: ReviewedLine; children: ReactNode }) => (
  <article className={styles.line} aria-label={line.Name}>
    <div className={styles.what}>
      <span className={styles.picture}>
        <ProductImage src={line.ImageUrl} alt="" />
      </span>
      <span>
        <Link to={paths.product(line.ProductCode)}>{line.Name}</Link>
        <small>
          {line.Brand && `${line.Brand} · `}编码 {line.ProductCode}
        </small>
        <small>
          已收 {line.ReceivedQuantity} {line.Unit}
        </small>
      </span>
    </div>
    <div className={styles.said}>{children}</div>
  </article>
)
