import { StatusTag } from '@/desk/StatusTag'
import { useRemoveAdded, type Decision } from '@/domain/approvals/approvals'
import { elapsed } from '@/domain/approvals/elapsed'
import { useSession } from '@/lib/session'
import { formatTime } from '@/lib/time'
import { Button } from '@/ui/Button'
import styles from './approval.module.css'
import { getTone } from './tones'

/** The steps in order: approver, today's delegate, decision and time. */
export function Chain({
  approval,
  standIns,
}: {
  approval: Decision['Approval']
  standIns: Decision['StandIns']
}) {
  const uid = useSession()?.User.uid
  const steps = approval.Steps
  return (
    <ol className={styles.chain} aria-label="审批流程">
      {steps.map((step) => (
        <li key={step.No}>
          <i>{step.No}</i>
          <div>
            <p>
              <b>
                {step.ForStaff
                  ? '平台客服'
                  : step.Tasks.map(({ Approver }) => Approver.Name).join('、')}
              </b>
              {step.Tasks.length > 1 && (
                <small>{step.Mode === 'all' ? '会签，须全部同意' : '或签，任一人同意即可'}</small>
              )}
              <StatusTag text={step.StatusText} tone={getTone(step.Status)} />
              {step.Status === 'active' && step.AskedAt && (
                <small>已等待 {elapsed(step.AskedAt)}，审批人仍可直接决定</small>
              )}
            </p>
            <small>{step.RuleName}</small>
            {step.Tasks.filter(({ AddedBy }) => AddedBy).map(({ Approver, AddedBy }) => (
              <small key={`added-${Approver.Id}`}>
                {AddedBy?.Name} 加签 {Approver.Name}，须一起同意
              </small>
            ))}
            {step.Tasks.filter(
              ({ Status, AddedBy }) =>
                approval.Status === 'pending' &&
                (Status === 'pending' || Status === 'waiting') &&
                (AddedBy ?? step.AddedBy)?.Id === uid,
            ).map(({ Approver }) => (
              <RemoveAdded key={`remove-${Approver.Id}`} id={approval.Id} who={Approver} />
            ))}
            {step.Tasks.filter(({ EscalatedFrom }) => EscalatedFrom).map(
              ({ Approver, EscalatedFrom, ArrivedAt }) => (
                <small key={`up-${Approver.Id}`}>
                  {EscalatedFrom?.Name} 超时未处理，{formatTime(ArrivedAt)} 升级给 {Approver.Name}
                </small>
              ),
            )}
            {step.Tasks.filter(({ At, Comment }) => At || Comment).map((task) => (
              <small key={task.Approver.Id}>
                {task.Approver.Name}
                {task.ActingFor && ` 代 ${task.ActingFor.Name} 审批`} {task.StatusText}{' '}
                {task.At && formatTime(task.At)} {task.Comment}
              </small>
            ))}
            {step.Tasks.filter(({ Status }) => Status === 'pending').flatMap(({ Approver }) =>
              standIns
                .filter(({ For }) => For.Id === Approver.Id)
                .map(({ By, For, WhyNot }) => (
                  <small key={`${For.Id}-${By.Id}`}>
                    {WhyNot
                      ? `代理人 ${By.Name} 不能代 ${For.Name} 审批：${WhyNot}`
                      : `今日可由 ${By.Name} 代 ${For.Name} 审批`}
                  </small>
                )),
            )}
            {step.Note && <small>{step.Note}</small>}
          </div>
        </li>
      ))}
    </ol>
  )
}

function RemoveAdded({ id, who }: { id: string; who: { Id: string; Name: string } }) {
  const remove = useRemoveAdded()
  return (
    <Button
      size="s"
      look="text"
      loading={remove.isPending}
      onClick={() => remove.mutate({ ApprovalId: id, AccountId: who.Id })}
    >
      撤回对 {who.Name} 的加签
    </Button>
  )
}
