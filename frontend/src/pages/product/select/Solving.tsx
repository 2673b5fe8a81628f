import { Skeleton } from '@/ui/States'
import styles from './select.module.css'

/** A placeholder with the current step while the server computes. */
export const Solving = ({ text }: { text: string }) => (
  <div className={styles.solving}>
    <p role="status">{text}</p>
    <div className={styles.plans} aria-hidden>
      {[0, 1, 2, 3].map((index) => (
        <Skeleton key={index} height={132} />
      ))}
    </div>
    {[0, 1, 2, 3, 4].map((index) => (
      <Skeleton key={index} height={96} />
    ))}
  </div>
)
