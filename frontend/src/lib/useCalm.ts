import { useIsFetching } from '@tanstack/react-query'
import { useEffect, useState } from 'react'

/** Milliseconds without a running request before decorative parts load their data. */
const CALM = 150

/**
 * True once the screen's own requests are answered, so that hot words and logos do not delay
 * content.
 */
export function useCalm(): boolean {
  const fetching = useIsFetching()
  const [isCalm, setCalm] = useState(false)
  useEffect(() => {
    if (isCalm || fetching > 0) return
    const timer = setTimeout(() => setCalm(true), CALM)
    return () => clearTimeout(timer)
  }, [isCalm, fetching])
  return isCalm
}
