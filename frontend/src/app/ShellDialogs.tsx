import { useCallback, useEffect, useState, type ComponentProps, type ComponentType } from 'react'
import { reportError } from '@/api/errors'
import { plugShell } from '@/api/shell'
import { showError } from '@/ui/toast'
import type { Blocked } from './BlockPrompt'
import styles from './Root.module.css'
import type { Trouble as TroubleType } from './Trouble'

type TroubleComponent = ComponentType<ComponentProps<typeof TroubleType>>

const fetchTrouble = (): Promise<TroubleComponent> =>
  import(/* webpackChunkName: "trouble" */ './Trouble').then(({ Trouble }) => Trouble)

/** Resolves when the browser is idle, or at once if it cannot tell. */
function atRest(work: () => void): () => void {
  if (typeof window.requestIdleCallback !== 'function') {
    const timer = setTimeout(work, 1500)
    return () => clearTimeout(timer)
  }
  const handle = window.requestIdleCallback(work, { timeout: 5000 })
  return () => window.cancelIdleCallback(handle)
}

/** The page's services for API calls: messages, the overlay, and the lazily loaded dialogs. */
export function ShellDialogs() {
  const [login, setLogin] = useState<string | null>(null)
  const [blocked, setBlocked] = useState<Blocked | null>(null)
  const [isBusy, setBusy] = useState(false)
  const [Trouble, setTrouble] = useState<TroubleComponent | null>(null)
  const load = useCallback(
    () => fetchTrouble().then((component) => setTrouble(() => component)),
    [],
  )
  useEffect(() => {
    plugShell({
      error: showError,
      promptLogin: (message) => {
        setLogin((open) => open ?? message)
        load().catch(() => reportError(message))
      },
      unlock: (info) =>
        new Promise((decide) => {
          setBlocked({ info, decide })
          load().catch(() => {
            setBlocked(null)
            decide(false)
          })
        }),
      busy: setBusy,
    })
    return () => plugShell({})
  }, [load])
  // A failed preload is repeated at the next use.
  useEffect(() => atRest(() => void load().catch(() => undefined)), [load])
  return (
    <>
      {isBusy && (
        <div className={styles.busy} role="status" aria-label="正在处理">
          <span />
        </div>
      )}
      {Trouble && (
        <Trouble
          login={login}
          onLoginClose={() => setLogin(null)}
          blocked={blocked}
          onBlockedDone={() => setBlocked(null)}
        />
      )}
    </>
  )
}
