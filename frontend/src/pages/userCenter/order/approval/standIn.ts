import type { Approval } from '@/domain/approvals/approvals'

/** The person that a delegate decides for; empty for the own task. */
export function standingInFor({ Steps }: Approval, uid: string | undefined): string {
  const asked = Steps.filter(({ Status }) => Status === 'active').flatMap(({ Tasks }) =>
    Tasks.filter(({ Status }) => Status === 'pending'),
  )
  const [first, ...others] = asked.map(({ Approver }) => Approver)
  if (!first || asked.some(({ Approver }) => Approver.Id === uid)) return ''
  return others.length ? '同事' : first.Name
}
