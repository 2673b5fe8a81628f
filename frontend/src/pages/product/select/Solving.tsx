import { Skeleton } from '@/ui/States'
import styles from './select.module.css'

/** While the server counts: the place of what is to come, and what it is doing. */
export const Solving = ({ text }: { text: string }) => (
  <div className={styles.solving}>
    <p role="status">{text}</p>
    <div className={styles.plans} aria-hidden>
      {[0, 1, 2, 3].map((place) => (
        <Skeleton key={place} height={132} />
      ))}
    </div>
    {[0, 1, 2, 3, 4].map((place) => (
      <Skeleton key={place} height={96} />
    ))}
  </div>
)
