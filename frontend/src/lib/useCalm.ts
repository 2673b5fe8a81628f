import { useIsFetching } from '@tanstack/react-query'
import { useEffect, useState } from 'react'

/** How long nothing may be on its way before what only adorns the page asks for itself, in milliseconds. */
const CALM = 150

/** True once the screen's own calls are answered: hot words and logos do not stand in the way of content. */
export function useCalm(): boolean {
  const fetching = useIsFetching()
  const [calm, setCalm] = useState(false)
  useEffect(() => {
    if (calm || fetching > 0) return
    const timer = setTimeout(() => setCalm(true), CALM)
    return () => clearTimeout(timer)
  }, [calm, fetching])
  return calm
}
