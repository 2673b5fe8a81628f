import styles from './ProductCard.module.css'
import { Skeleton } from './States'

/** A placeholder with the height of a `ProductCard`, by the same boxes. */
export const CardSkeleton = ({
  footer = false,
  choice = false,
}: {
  footer?: boolean
  choice?: boolean
}) => (
  <div className={styles.card} aria-hidden>
    <span className={styles.square}>
      <Skeleton height="100%" />
    </span>
    <Skeleton height={44} />
    {choice && <Skeleton height={24} width="80%" />}
    <Skeleton height={24} width="60%" />
    <Skeleton height={18} width="40%" />
    {footer && (
      <>
        <Skeleton height={18} width="70%" />
        <Skeleton height={28} />
      </>
    )}
  </div>
)
