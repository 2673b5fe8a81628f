import { Button } from '@/ui/Button'
import { Dialog } from '@/ui/Dialog'

export interface Refusal {
  Id: string
  No: string
  Message: string
}

/** The approvals that a batch could not approve, with the reasons. */
export function Refusals({ rows, onClose }: { rows: Refusal[]; onClose: () => void }) {
  return (
    <Dialog
      title={`${rows.length} 条未能同意`}
      open={rows.length > 0}
      onClose={onClose}
      width={560}
      footer={
        <Button look="primary" onClick={onClose}>
          知道了
        </Button>
      }
    >
      <ul>
        {rows.map(({ Id, No, Message }) => (
          <li key={Id}>
            <b>{No}</b> {Message}
          </li>
        ))}
      </ul>
    </Dialog>
  )
}
