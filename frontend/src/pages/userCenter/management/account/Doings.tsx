import { ImportDialog } from '@/desk/ImportDialog'
import type { AccountRow, Invitation } from '@/domain/org/accounts'
import { ChangeHistory } from '@/domain/org/ChangeHistory'
import { AccountDialog } from './AccountDialog'
import type { Deed } from './columns'
import { DisableDialog } from './DisableDialog'
import { LimitsDialog } from './LimitsDialog'
import { IMPORT } from './importing'
import { InvitationDialog, PasswordDialog } from './PasswordDialog'
import { SightDrawer } from './SightPanel'

export type Doing = { deed: 'new' | 'import' } | { deed: Deed; row: AccountRow }

interface DeedsProps {
  doing: Doing | null
  onClose: () => void
  onInvited: (invitation: Invitation) => void
}

function Deeds({ doing, onClose, onInvited }: DeedsProps) {
  if (!doing) return null
  if (!('row' in doing))
    return doing.deed === 'import' ? (
      <ImportDialog {...IMPORT} onClose={onClose} />
    ) : (
      <AccountDialog row={null} onClose={onClose} onInvited={onInvited} />
    )
  const { deed, row } = doing
  if (deed === 'edit') return <AccountDialog row={row} onClose={onClose} onInvited={onInvited} />
  if (deed === 'sight') return <SightDrawer row={row} onClose={onClose} />
  if (deed === 'limits') return <LimitsDialog row={row} onClose={onClose} />
  if (deed === 'disable') return <DisableDialog row={row} onClose={onClose} />
  if (deed === 'history')
    return (
      <ChangeHistory
        subjectType="account"
        subjectId={row.Id}
        name={row.NickName}
        open
        onClose={onClose}
      />
    )
  return (
    <PasswordDialog row={row} isReset={deed === 'reset'} onClose={onClose} onInvited={onInvited} />
  )
}

/** The dialogs for one or many accounts, and the result of an invitation. */
export default function Doings({
  invitation,
  onRead,
  ...deeds
}: DeedsProps & { invitation: Invitation | null; onRead: () => void }) {
  return (
    <>
      <Deeds {...deeds} />
      {invitation && <InvitationDialog invitation={invitation} onClose={onRead} />}
    </>
  )
}
