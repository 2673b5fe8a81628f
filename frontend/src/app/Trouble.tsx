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

/** What most visits never see; from here on what is typed is remembered, in case a screen fails. Fetched when the page has come to rest, since it must be there when the line is not. */
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
