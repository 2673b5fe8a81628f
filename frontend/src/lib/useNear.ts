import { useEffect, useRef, useState, type RefObject } from 'react'

/** Returns true when the element first comes near the screen, if enabled. */
export function useNear<T extends Element>(may: boolean): [RefObject<T | null>, boolean] {
  const element = useRef<T>(null)
  const [near, setNear] = useState(false)
  useEffect(() => {
    if (!may || near || !element.current) return
    if (typeof IntersectionObserver === 'undefined') {
      setNear(true)
      return
    }
    const observer = new IntersectionObserver(
      (entries) => entries.some(({ isIntersecting }) => isIntersecting) && setNear(true),
      { rootMargin: '700px' },
    )
    observer.observe(element.current)
    return () => observer.disconnect()
  }, [may, near])
  return [element, near]
}
