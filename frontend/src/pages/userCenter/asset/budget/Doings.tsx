import { ImportDialog } from '@/desk/ImportDialog'
import { ChangeHistory } from '@/domain/org/ChangeHistory'
import type { BudgetRow } from './api'
import { ChangeDialog } from './ChangeDialog'
import { IMPORT } from './importing'
import Ledger, { type Shown } from './Ledger'
import { OpenDialog } from './OpenDialog'
import { PastTransfers } from './PastTransfers'
import { TransferDialog } from './TransferDialog'

export type Deed = 'change' | 'transfer' | 'history'
export type Doing =
  | { deed: 'open' | 'import' | 'past' }
  | { deed: Deed; row: BudgetRow }
  | { deed: 'look'; row: BudgetRow; shown: Shown }

/** The drawers and dialogs of a budget. */
export default function Doings({ doing, onClose }: { doing: Doing; onClose: () => void }) {
  switch (doing.deed) {
    case 'open':
      return <OpenDialog onClose={onClose} />
    case 'import':
      return <ImportDialog {...IMPORT} onClose={onClose} />
    case 'past':
      return <PastTransfers onClose={onClose} />
    case 'look':
      return <Ledger row={doing.row} first={doing.shown} onClose={onClose} />
    case 'change':
      return <ChangeDialog row={doing.row} onClose={onClose} />
    case 'transfer':
      return <TransferDialog row={doing.row} onClose={onClose} />
    case 'history':
      return (
        <ChangeHistory
          subjectType="budget"
          subjectId={doing.row.Id}
          name={doing.row.Name}
          open
          onClose={onClose}
        />
      )
  }
}
