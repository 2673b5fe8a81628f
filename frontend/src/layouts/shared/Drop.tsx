import { useId, type ReactNode } from 'react'
import { cx } from '@/ui/cx'
import { Icon } from '@/ui/Icon'
import { useFlyout } from '@/ui/useFlyout'
import styles from './TopBar.module.css'

interface DropProps {
  label: ReactNode
  className?: string | undefined
  /** Prefetches the data of the panel on hover or focus. */
  ready: () => void
  children: (close: () => void) => ReactNode
}

/** A top bar entry with a drop-down panel. */
export function Drop({ label, className, ready, children }: DropProps) {
  const flyout = useFlyout<HTMLSpanElement>()
  const id = useId()
  return (
    <span
      {...flyout.root}
      role="presentation"
      className={cx(styles.drop, flyout.open && styles.dropped, className)}
      onFocus={ready}
      onPointerEnter={(event) => {
        ready()
        flyout.root.onPointerEnter(event)
      }}
    >
      <button type="button" {...flyout.trigger} aria-controls={flyout.open ? id : undefined}>
        {label}
        <Icon name="down" size={12} />
      </button>
      {flyout.open && (
        <div id={id} className={styles.panel}>
          {children(flyout.close)}
        </div>
      )}
    </span>
  )
}
