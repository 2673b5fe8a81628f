import { useLayoutEffect, useRef, type RefObject } from 'react'

/**
 * Stores the height of the column in its `--rail` property. The CSS sticks the column to the top if
 * it fits, otherwise to its lower end.
 */
export function useRailHeight(): RefObject<HTMLElement | null> {
  const column = useRef<HTMLElement>(null)
  useLayoutEffect(() => {
    const element = column.current
    if (!element) return
    const watch = new ResizeObserver(() =>
      element.style.setProperty('--rail', `${element.offsetHeight}px`),
    )
    watch.observe(element)
    return () => watch.disconnect()
  }, [])
  return column
}
