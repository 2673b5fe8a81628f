import { StatusTag } from '@/desk/StatusTag'
import type { Decision } from '@/domain/approvals/approvals'
import { elapsed } from '@/domain/approvals/elapsed'
import { formatTime } from '@/lib/time'
import styles from './approval.module.css'
import { toneOf } from './tones'

/** The steps in order: approver, today's delegate, decision and time. */
export function Chain({
  steps,
  standIns,
}: {
  steps: Decision['Approval']['Steps']
  standIns: Decision['StandIns']
}) {
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
              <StatusTag text={step.StatusText} tone={toneOf(step.Status)} />
              {step.Status === 'active' && step.AskedAt && (
                <small>已等待 {elapsed(step.AskedAt)}，审批人仍可直接决定</small>
              )}
            </p>
            <small>{step.RuleName}</small>
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
                .map(({ By, For }) => (
                  <small key={`${For.Id}-${By.Id}`}>
                    今日可由 {By.Name} 代 {For.Name} 审批
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
