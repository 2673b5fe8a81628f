import {
  useEffect,
  useRef,
  useState,
  type KeyboardEvent,
  type MouseEvent,
  type PointerEvent,
  type RefObject,
} from 'react'

/** Milliseconds that the pointer must rest to open, and be away to close. */
const OPEN_DELAY_MS = 120
const CLOSE_DELAY_MS = 180

export interface Flyout<T extends HTMLElement> {
  open: boolean
  close: () => void
  show: () => void
  /** For the element that holds the button and what it opens. */
  root: {
    ref: RefObject<T | null>
    onPointerEnter: (event: PointerEvent) => void
    onPointerLeave: (event: PointerEvent) => void
    onPointerDown: (event: PointerEvent) => void
    onKeyDown: (event: KeyboardEvent) => void
  }
  /** For the button itself. */
  trigger: { 'aria-expanded': boolean; onClick: (event: MouseEvent) => void }
}

/** A flyout that opens on hover, tap or key. Esc, a press outside or a focus outside closes it. */
export function useFlyout<T extends HTMLElement = HTMLDivElement>(): Flyout<T> {
  const [open, setOpen] = useState(false)
  const ref = useRef<T>(null)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const mouse = useRef(false)
  useEffect(() => () => clearTimeout(timer.current), [])
  useEffect(() => {
    if (!open) return
    const elsewhere = ({ target }: Event): void => {
      if (target instanceof Node && !ref.current?.contains(target)) setOpen(false)
    }
    document.addEventListener('pointerdown', elsewhere)
    document.addEventListener('focusin', elsewhere)
    return () => {
      document.removeEventListener('pointerdown', elsewhere)
      document.removeEventListener('focusin', elsewhere)
    }
  }, [open])

  const set = (next: boolean): void => {
    clearTimeout(timer.current)
    setOpen(next)
  }
  const later = (next: boolean, event: PointerEvent): void => {
    if (event.pointerType !== 'mouse') return
    clearTimeout(timer.current)
    timer.current = setTimeout(() => setOpen(next), next ? OPEN_DELAY_MS : CLOSE_DELAY_MS)
  }
  return {
    open,
    close: () => set(false),
    show: () => set(true),
    root: {
      ref,
      onPointerEnter: (event) => later(true, event),
      onPointerLeave: (event) => later(false, event),
      onPointerDown: (event) => {
        mouse.current = event.pointerType === 'mouse'
      },
      onKeyDown: (event) => {
        if (event.key !== 'Escape' || !open) return
        set(false)
        ref.current?.querySelector<HTMLElement>('[aria-expanded]')?.focus()
      },
    },
    // With a mouse it is open already or about to open: the press must not close it.
    trigger: {
      'aria-expanded': open,
      onClick: ({ detail }) => set(detail > 0 && mouse.current ? true : !open),
    },
  }
}
