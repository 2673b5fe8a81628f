import { useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { cx } from './cx'
import { Icon, type IconName } from './Icon'
import { toasts, type ToastKind, type ToastMessage } from './toast'
import styles from './Toast.module.css'

const ICONS: Record<ToastKind, IconName> = { success: 'check', error: 'warn', warning: 'warn', info: 'info' }

const NONE: readonly ToastMessage[] = []

/** Where toasts appear; once per page, above open dialogs too. */
export function Toasts() {
  const kept = useSyncExternalStore(toasts.subscribe, toasts.get)
  // What was said before there was a page comes a moment after its place: only then a screen reader speaks it.
  const [ready, setReady] = useState(false)
  useEffect(() => setReady(true), [])
  const messages = ready ? kept : NONE
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
