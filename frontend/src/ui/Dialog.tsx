import { useEffect, useId, useRef, type ReactNode } from 'react'
import styles from './Dialog.module.css'
import { Icon } from './Icon'

interface DialogProps {
  title: string
  open: boolean
  onClose: () => void
  children: ReactNode
  /** Buttons, the chosen one last. */
  footer?: ReactNode
  width?: number
}

/**
 * A modal dialog on the `dialog` element: the focus stays inside, Esc closes, and the focus returns
 * afterwards.
 */
export function Dialog({ title, open, onClose, children, footer, width = 480 }: DialogProps) {
  const element = useRef<HTMLDialogElement>(null)
  const heading = useId()
  useEffect(() => {
    const dialog = element.current
    if (!dialog || !open) return
    const before = document.activeElement
    if (!dialog.open) dialog.showModal()
    return () => {
      dialog.close()
      if (before instanceof HTMLElement) before.focus()
    }
  }, [open])
  if (!open) return null
  return (
    <dialog
      ref={element}
      className={styles.dialog}
      style={{ width }}
      aria-labelledby={heading}
      onCancel={(event) => {
        event.preventDefault()
        onClose()
      }}
    >
      <header className={styles.head}>
        <h2 id={heading}>{title}</h2>
        <button type="button" aria-label="关闭" onClick={onClose}>
          <Icon name="close" size={18} />
        </button>
      </header>
      <div className={styles.body}>{children}</div>
      {footer && <footer className={styles.foot}>{footer}</footer>}
    </dialog>
  )
}
