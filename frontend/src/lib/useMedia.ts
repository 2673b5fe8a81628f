import { useCallback, useSyncExternalStore } from 'react'

/** Below this width the home page shows no category column; the menu opens over the page. */
export const NARROW = '(max-width: 1100px)'

/** A phone: the bar at the bottom takes the place of the top bar and the navigation. */
export const PHONE = '(max-width: 700px)'

/** True while the window fits the media query. */
export function useMedia(query: string): boolean {
  const subscribe = useCallback(
    (listener: () => void) => {
      const list = window.matchMedia(query)
      list.addEventListener('change', listener)
      return () => list.removeEventListener('change', listener)
    },
    [query],
  )
  return useSyncExternalStore(subscribe, () => window.matchMedia(query).matches)
}
