import { BlockPrompt, type Blocked } from './BlockPrompt'
import { LoginPrompt } from './LoginPrompt'
import { OfflineNotice } from './OfflineNotice'

interface TroubleProps {
  login: string | null
  onLoginClose: () => void
  blocked: Blocked | null
  onBlockedDone: () => void
}

/** What most visits never see. Fetched when the page has come to rest, since it must be there when the line is not. */
export function Trouble({ login, onLoginClose, blocked, onBlockedDone }: TroubleProps) {
  return (
    <>
      <OfflineNotice />
      <LoginPrompt message={login} onClose={onLoginClose} />
      {blocked && <BlockPrompt blocked={blocked} onDone={onBlockedDone} />}
    </>
  )
}
