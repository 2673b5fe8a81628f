import { useId, type ReactNode } from 'react'
import { Button } from './Button'
import { cx } from './cx'
import { Icon } from './Icon'
import styles from './MoreActions.module.css'
import { useFlyout } from './useFlyout'

interface MoreActionsProps {
  size?: 's' | 'm'
  /** Opens upwards from its left edge, for a bar at the bottom of the window. */
  opensAbove?: boolean
  children: ReactNode
}

/**
 * The button 更多 with a list of buttons and links. An action closes the list, and the button has
 * the focus again, so that a dialog returns the focus to it. The action must run first: React would
 * take a list that closes in the capture phase out of the page before the click reaches the action.
 */
export function MoreActions({ size, opensAbove = false, children }: MoreActionsProps) {
  const { open, close, root, trigger } = useFlyout()
  const id = useId()
  const leave = (): void => {
    close()
    root.ref.current?.querySelector<HTMLElement>('[aria-expanded]')?.focus()
  }
  return (
    <div {...root} role="presentation" className={styles.root}>
      <Button size={size} wide {...trigger} aria-controls={open ? id : undefined}>
        更多
        <Icon name="down" size={12} />
      </Button>
      {open && (
        <div role="presentation" onClick={leave}>
          <div
            id={id}
            role="group"
            aria-label="更多操作"
            className={cx(styles.list, opensAbove && styles.above)}
          >
            {children}
          </div>
        </div>
      )}
    </div>
  )
}
