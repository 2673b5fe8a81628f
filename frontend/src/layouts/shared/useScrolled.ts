import { useSyncExternalStore } from 'react'

function subscribe(listener: () => void): () => void {
  window.addEventListener('scroll', listener, { passive: true })
  return () => window.removeEventListener('scroll', listener)
}

/** True once the page has been scrolled so far. */
export const useScrolled = (pixels: number): boolean => useSyncExternalStore(subscribe, () => window.scrollY > pixels)
