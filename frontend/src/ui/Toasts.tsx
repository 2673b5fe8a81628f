import { useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { cx } from './cx'
import { Icon, type IconName } from './Icon'
import { toasts, type ToastKind, type ToastMessage } from './toast'
import styles from './Toast.module.css'

const ICONS: Record<ToastKind, IconName> = {
  success: 'check',
  error: 'warn',
  warning: 'warn',
  info: 'info',
}

const NONE: readonly ToastMessage[] = []

/** The place of the toasts, once per page, also above open dialogs. */
export function Toasts() {
  const kept = useSyncExternalStore(toasts.subscribe, toasts.get)
  // Toasts from before the mount are added a moment later, because a screen reader only announces
  // later changes.
  const [isReady, setReady] = useState(false)
  useEffect(() => setReady(true), [])
  const messages = isReady ? kept : NONE
  const stack = useRef<HTMLDivElement>(null)
  // A modal dialog is in the top layer; a popover that is shown later is above it.
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
