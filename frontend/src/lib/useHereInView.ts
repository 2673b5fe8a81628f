import { useEffect, useRef, type RefObject } from 'react'

/** For a line that is wiped through: the entry of the present page is in its middle once `changed` has changed; the page itself stays where it is. */
export function useHereInView<T extends HTMLElement>(changed: unknown): RefObject<T | null> {
  const line = useRef<T>(null)
  useEffect(() => {
    const box = line.current
    const here = box?.querySelector<HTMLElement>('[aria-current]')
    if (box && here) box.scrollLeft = here.offsetLeft - box.offsetLeft - (box.clientWidth - here.offsetWidth) / 2
  }, [changed])
  return line
}
