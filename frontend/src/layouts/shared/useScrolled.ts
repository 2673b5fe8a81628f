import { useSyncExternalStore } from 'react'

function subscribe(listener: () => void): () => void {
  window.addEventListener('scroll', listener, { passive: true })
  return () => window.removeEventListener('scroll', listener)
}

/** Returns true when the page is scrolled at least this far. */
export const useScrolled = (pixels: number): boolean =>
  useSyncExternalStore(subscribe, () => window.scrollY > pixels)
