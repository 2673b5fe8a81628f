import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { MESSAGES, reportError } from '@/api/errors'
import { Button } from '@/ui/Button'
import { Icon } from '@/ui/Icon'
import { toast } from '@/ui/toast'
import styles from './OfflineNotice.module.css'

/** Show a notice while offline, and repeat failed requests when online again. */
export function OfflineNotice() {
  const client = useQueryClient()
  const [isOffline, setOffline] = useState(() => !navigator.onLine)
  const [isTrying, setTrying] = useState(false)
  useEffect(() => {
    const down = (): void => setOffline(true)
    const up = (): void => {
      setOffline(false)
      toast.success('网络已恢复')
      void client.refetchQueries({
        type: 'active',
        predicate: ({ state }) => state.status === 'error',
      })
    }
    window.addEventListener('offline', down)
    window.addEventListener('online', up)
    return () => {
      window.removeEventListener('offline', down)
      window.removeEventListener('online', up)
    }
  }, [client])
  const retry = async (): Promise<void> => {
    setTrying(true)
    try {
      await fetch('/healthz', { cache: 'no-store', signal: AbortSignal.timeout(10_000) })
      // Some browsers notice late that they are online again; an answer proves it.
      window.dispatchEvent(new Event('online'))
    } catch {
      reportError(MESSAGES.network)
    } finally {
      setTrying(false)
    }
  }
  if (!isOffline) return null
  return (
    <div className={styles.notice} role="alert">
      <Icon name="warn" size={18} />
      网络已断开，已填写的内容不会丢失
      <Button size="s" loading={isTrying} onClick={() => void retry()}>
        重试
      </Button>
    </div>
  )
}
