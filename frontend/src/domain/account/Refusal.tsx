import { Icon } from '@/ui/Icon'
import styles from './auth.module.css'

/** An error above its form. */
export const Refusal = ({ children }: { children: string | null | undefined }) =>
  children ? (
    <p className={styles.refusal} role="alert">
      <Icon name="warn" size={18} />
      {children}
    </p>
  ) : null
