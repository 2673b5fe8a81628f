import { useEffect, useRef, useState, type RefObject } from 'react'

/** Returns true when the element first comes near the screen, if it is allowed. */
export function useNear<T extends Element>(isAllowed: boolean): [RefObject<T | null>, boolean] {
  const element = useRef<T>(null)
  const [isNear, setNear] = useState(false)
  useEffect(() => {
    if (!isAllowed || isNear || !element.current) return
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
  }, [isAllowed, isNear])
  return [element, isNear]
}
