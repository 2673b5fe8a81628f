import { useEffect, useRef, type MouseEvent } from 'react'

/**
 * The pointer must rest this long before a pane opens, so that crossing the column opens nothing.
 */
const HOVER_MS = 90
/**
 * While the pointer moves towards the open pane it may cross other items: nothing changes until it
 * has not come nearer for so long.
 */
const CROSSING = 200

interface HoverIntent {
  onMove: (event: MouseEvent) => void
  /** The pointer is over this item (or left all of them): follows when it stays there. */
  aim: (id: string | null) => void
  /** Cancel a pending change, because the pointer has reached the panel. */
  stay: () => void
  now: (id: string | null) => void
}

/**
 * Opens what the pointer means: at once enough for one who points, patient with one who moves
 * slantwise to the open pane at the right.
 */
export function useHoverIntent(open: (id: string | null) => void, isOpen: boolean): HoverIntent {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const last = useRef({ x: 0, y: 0, rightwards: false })
  const aimed = useRef<{ id: string | null } | null>(null)
  useEffect(() => () => clearTimeout(timer.current), [])
  const stay = (): void => {
    clearTimeout(timer.current)
    aimed.current = null
  }
  const wait = (id: string | null): void => {
    stay()
    aimed.current = { id }
    const follow = (): void => {
      aimed.current = null
      open(id)
    }
    timer.current = setTimeout(follow, isOpen && last.current.rightwards ? CROSSING : HOVER_MS)
  }
  return {
    stay,
    onMove: ({ clientX: x, clientY: y }) => {
      const across = x - last.current.x
      if (across === 0 && y === last.current.y) return
      last.current = { x, y, rightwards: across > 0 && across >= Math.abs(y - last.current.y) / 3 }
      if (isOpen && aimed.current && last.current.rightwards) wait(aimed.current.id)
    },
    aim: wait,
    now: (id) => {
      stay()
      open(id)
    },
  }
}
