import { vi } from 'vitest'
import { PHONE } from '@/lib/useMedia'

/** The window has the width of a phone for the rest of the test. */
export function narrowToPhone(): void {
  const { matchMedia } = window
  vi.stubGlobal('matchMedia', (query: string) =>
    query === PHONE ? Object.assign(matchMedia(query), { matches: true }) : matchMedia(query),
  )
}
