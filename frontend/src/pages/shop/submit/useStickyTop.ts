import { useLayoutEffect, useRef, useState, type RefObject } from 'react'

const GAP = 16

/** Where a column sticks: at the top while it fits, else so that its lower end stays in view once the page has been scrolled through it. */
export function useStickyTop(): [RefObject<HTMLElement | null>, number] {
  const column = useRef<HTMLElement>(null)
  const [top, setTop] = useState(GAP)
  useLayoutEffect(() => {
    const element = column.current
    if (!element) return
    const measure = (): void => setTop(Math.min(GAP, window.innerHeight - element.offsetHeight - GAP))
    const watch = new ResizeObserver(measure)
    watch.observe(element)
    window.addEventListener('resize', measure)
    return () => {
      watch.disconnect()
      window.removeEventListener('resize', measure)
    }
  }, [])
  return [column, top]
}
