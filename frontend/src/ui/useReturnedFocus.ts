import { useEffect, useState } from 'react'

/**
 * Returns the focus when the component leaves the page: to the element that had it before. antd's
 * dialog does so only after its own closing animation, which a dialog that is removed never plays.
 */
export function useReturnedFocus(): void {
  const [before] = useState(() => document.activeElement)
  useEffect(
    () => () => {
      const isLost = document.activeElement === null || document.activeElement === document.body
      if (isLost && before instanceof HTMLElement) before.focus({ preventScroll: true })
    },
    [before],
  )
}
