import { useEffect, useRef, type RefObject } from 'react'

/**
 * For a line that scrolls sideways: scroll the current page's entry to the middle when `changed`
 * changes, without moving the page.
 */
export function useHereInView<T extends HTMLElement>(changed: unknown): RefObject<T | null> {
  const line = useRef<T>(null)
  useEffect(() => {
    const box = line.current
    const here = box?.querySelector<HTMLElement>('[aria-current]')
    if (box && here)
      box.scrollLeft = here.offsetLeft - box.offsetLeft - (box.clientWidth - here.offsetWidth) / 2
  }, [changed])
  return line
}
