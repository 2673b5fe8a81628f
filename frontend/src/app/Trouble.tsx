import { useEffect } from 'react'
import { restoreDrafts, watchTyping } from '@/lib/drafts'
import { useSession } from '@/lib/session'
import { toast } from '@/ui/toast'
import { BlockPrompt, type Blocked } from './BlockPrompt'
import { LoginPrompt } from './LoginPrompt'
import { OfflineNotice } from './OfflineNotice'

interface TroubleProps {
  login: string | null
  onLoginClose: () => void
  blocked: Blocked | null
  onBlockedDone: () => void
}

export { Failure } from './Failure'

/**
 * Dialogs and notices that most visits never need, and the saving of typed input in case a
 * screen fails. Loaded when the page is idle, because it must be available when the connection
 * is not.
 */
export function Trouble({ login, onLoginClose, blocked, onBlockedDone }: TroubleProps) {
  const owner = useSession()?.User.uid ?? ''
  useEffect(() => watchTyping(), [])
  useEffect(() => restoreDrafts(owner, () => toast.info('已恢复您之前填写的内容')), [owner])
  return (
    <>
      <OfflineNotice />
      <LoginPrompt message={login} onClose={onLoginClose} />
      {blocked && <BlockPrompt blocked={blocked} onDone={onBlockedDone} />}
    </>
  )
}
