import { useEffect } from 'react'
import { useSearchParams } from 'react-router-dom'

/**
 * Open the dialog of the imports when the address asks for it, as the notice about the end of an
 * import does. The parameter is then removed, so that a closed dialog stays closed.
 */
export function useImportLink(open: () => void): void {
  const [params, setParams] = useSearchParams()
  const isAsked = params.has('Import')
  useEffect(() => {
    if (!isAsked) return
    open()
    setParams(
      (now) => {
        const next = new URLSearchParams(now)
        next.delete('Import')
        return next
      },
      { replace: true },
    )
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- the address asks, not a render
  }, [isAsked])
}
