import { ImportDialog } from '@/desk/ImportDialog'
import { ChangeHistory } from '@/domain/org/ChangeHistory'
import type { BudgetRow } from './api'
import { ChangeDialog } from './ChangeDialog'
import { IMPORT } from './importing'
import Ledger, { type LedgerFilter } from './Ledger'
import { OpenDialog } from './OpenDialog'
import { PastTransfers } from './PastTransfers'
import { TransferDialog } from './TransferDialog'

export type BudgetAction = 'change' | 'transfer' | 'history'
export type DialogState =
  | { kind: 'open' | 'import' | 'past' }
  | { kind: BudgetAction; row: BudgetRow }
  | { kind: 'look'; row: BudgetRow; filter: LedgerFilter }

/** The drawers and dialogs of a budget. */
export default function BudgetDialogs({
  openDialog,
  onClose,
}: {
  openDialog: DialogState
  onClose: () => void
}) {
  switch (openDialog.kind) {
    case 'open':
      return <OpenDialog onClose={onClose} />
    case 'import':
      return <ImportDialog {...IMPORT} onClose={onClose} />
    case 'past':
      return <PastTransfers onClose={onClose} />
    case 'look':
      return <Ledger row={openDialog.row} first={openDialog.filter} onClose={onClose} />
    case 'change':
      return <ChangeDialog row={openDialog.row} onClose={onClose} />
    case 'transfer':
      return <TransferDialog row={openDialog.row} onClose={onClose} />
    case 'history':
      return (
        <ChangeHistory
          subjectType="budget"
          subjectId={openDialog.row.Id}
          name={openDialog.row.Name}
          open
          onClose={onClose}
        />
      )
  }
}
