import { useEffect, useRef, useSyncExternalStore } from 'react'
import { cx } from './cx'
import { Icon, type IconName } from './Icon'
import { toasts, type ToastKind } from './toast'
import styles from './Toast.module.css'

const ICONS: Record<ToastKind, IconName> = { success: 'check', error: 'warn', warning: 'warn', info: 'info' }

/** Where toasts appear; once per page, above open dialogs too. */
export function Toasts() {
  const messages = useSyncExternalStore(toasts.subscribe, toasts.get)
  const stack = useRef<HTMLDivElement>(null)
  // A modal dialog lies in the top layer; a popover shown after it lies above.
  useEffect(() => {
    const element = stack.current
    if (!element || typeof element.showPopover !== 'function') return
    if (element.matches(':popover-open')) element.hidePopover()
    if (messages.length) element.showPopover()
  }, [messages])
  return (
    <div ref={stack} popover="manual" className={styles.stack} role="status" aria-live="polite">
      {messages.map(({ id, kind, text }) => (
        <div key={id} className={cx(styles.toast, styles[kind])}>
          <Icon name={ICONS[kind]} size={18} />
          {text}
        </div>
      ))}
    </div>
  )
}
