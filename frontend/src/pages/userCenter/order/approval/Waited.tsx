import { useUrge, type Approval } from '@/domain/approvals/approvals'
import { Button } from '@/ui/Button'
import { Tag } from '@/ui/Small'

/** The waiting time in working hours, marked when it is overdue by the group's settings. */
export function Waited({ wait }: { wait: Approval['Waiting'] }) {
  if (!wait) return null
  return (
    <Tag tone={wait.IsOverdue ? 'bad' : 'plain'}>
      {wait.IsOverdue && '超时 · '}
      {wait.Hours < 1 ? '等待' : '已等 '}
      {wait.Text}
    </Tag>
  )
}

/** 催办: notify the approver, at most once in four working hours. */
export function Urge({ approval }: { approval: Approval }) {
  const urge = useUrge()
  if (!approval.CanUrge) return null
  return (
    <Button size="s" loading={urge.isPending} onClick={() => urge.mutate(approval.Id)}>
      催办
    </Button>
  )
}
