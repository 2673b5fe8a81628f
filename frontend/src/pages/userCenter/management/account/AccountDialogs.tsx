import { ImportDialog } from '@/desk/ImportDialog'
import type { AccountRow, Invitation } from '@/domain/org/accounts'
import { ChangeHistory } from '@/domain/org/ChangeHistory'
import { AccountDialog } from './AccountDialog'
import type { AccountAction } from './columns'
import { DisableDialog } from './DisableDialog'
import { LimitsDialog } from './LimitsDialog'
import { IMPORT } from './importing'
import { InvitationDialog, PasswordDialog } from './PasswordDialog'
import { AccessDrawer } from './AccessPanel'

export type DialogState = { kind: 'new' | 'import' } | { kind: AccountAction; row: AccountRow }

interface ActionDialogProps {
  openDialog: DialogState | null
  onClose: () => void
  onInvited: (invitation: Invitation) => void
}

function ActionDialog({ openDialog, onClose, onInvited }: ActionDialogProps) {
  if (!openDialog) return null
  if (!('row' in openDialog))
    return openDialog.kind === 'import' ? (
      <ImportDialog {...IMPORT} onClose={onClose} />
    ) : (
      <AccountDialog row={null} onClose={onClose} onInvited={onInvited} />
    )
  const { kind, row } = openDialog
  if (kind === 'edit') return <AccountDialog row={row} onClose={onClose} onInvited={onInvited} />
  if (kind === 'sight') return <AccessDrawer row={row} onClose={onClose} />
  if (kind === 'limits') return <LimitsDialog row={row} onClose={onClose} />
  if (kind === 'disable') return <DisableDialog row={row} onClose={onClose} />
  if (kind === 'history')
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
    <PasswordDialog row={row} isReset={kind === 'reset'} onClose={onClose} onInvited={onInvited} />
  )
}

/** The dialogs for one or many accounts, and the result of an invitation. */
export default function AccountDialogs({
  invitation,
  onRead,
  ...dialogProps
}: ActionDialogProps & { invitation: Invitation | null; onRead: () => void }) {
  return (
    <>
      <ActionDialog {...dialogProps} />
      {invitation && <InvitationDialog invitation={invitation} onClose={onRead} />}
    </>
  )
}
