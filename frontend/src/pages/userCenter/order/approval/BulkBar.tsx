import { useState } from 'react'
import type { Approval } from '@/domain/approvals/approvals'
import { sum, yuan } from '@/lib/money'
import { useSession } from '@/lib/session'
import { Button } from '@/ui/Button'
import { Checkbox } from '@/ui/Choice'
import styles from './approval.module.css'
import { ApproveDialog } from './ApproveDialog'
import { standingInFor } from './standIn'
import type { Bulk } from './useBulk'

/**
 * Select all of the page, and approve the selection after a confirmation with count and amount.
 */
export function BulkBar({ bulk, rows }: { bulk: Bulk; rows: readonly Approval[] }) {
  const [isAsking, setAsking] = useState(false)
  const { chosen } = bulk
  const close = (): void => setAsking(false)
  const uid = useSession()?.User.uid
  const away = [...new Set(chosen.map((row) => standingInFor(row, uid)).filter(Boolean))]
  return (
    <div className={styles.bulk}>
      <Checkbox
        checked={chosen.length > 0 && chosen.length === rows.length}
        indeterminate={chosen.length > 0 && chosen.length < rows.length}
        onChange={(all) => bulk.setTicked(all ? rows.map(({ Id }) => Id) : [])}
      >
        全选
      </Checkbox>
      <Button
        look="primary"
        size="s"
        disabled={!chosen.length}
        loading={bulk.busy}
        onClick={() => setAsking(true)}
      >
        批量同意{chosen.length > 0 && `（${chosen.length}）`}
      </Button>
      {isAsking && chosen.length > 0 && (
        <ApproveDialog
          title="批量同意"
          actingFor={away.join('、')}
          text={`所选 ${chosen.length} 条，金额合计 ${yuan(sum(chosen.map(({ Amount }) => Amount)))}。同意后不能撤回。`}
          open
          isBusy={bulk.busy}
          onClose={close}
          onConfirm={(comment) => bulk.send(comment, close)}
        />
      )}
    </div>
  )
}
