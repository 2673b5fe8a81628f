import { useLayoutEffect, useRef, type RefObject } from 'react'

/** Keeps the column's height in its own `--rail`: its style sticks it to the top while it fits, else so that its lower end stays in view. */
export function useRailHeight(): RefObject<HTMLElement | null> {
  const column = useRef<HTMLElement>(null)
  useLayoutEffect(() => {
    const element = column.current
    if (!element) return
    const watch = new ResizeObserver(() => element.style.setProperty('--rail', `${element.offsetHeight}px`))
    watch.observe(element)
    return () => watch.disconnect()
  }, [])
  return column
}
