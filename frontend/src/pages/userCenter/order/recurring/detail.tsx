import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from 'react-router-dom'
import { Page } from '@/desk/Page'
import { StatusTag } from '@/desk/StatusTag'
import {
  recurringOrder,
  toneOf,
  useContinue,
  useEnd,
  usePause,
  useResume,
  useSkip,
  type RecurringDetail,
} from '@/domain/recurring/recurring'
import { yuan } from '@/lib/money'
import { paths } from '@/lib/paths'
import { Button } from '@/ui/Button'
import { ErrorState, Loading } from '@/ui/States'
import styles from './recurring.module.css'

function Acts({ row }: { row: RecurringDetail }) {
  const pause = usePause()
  const resume = useResume()
  const skip = useSkip()
  const end = useEnd()
  const proceed = useContinue()
  const can = (action: RecurringDetail['AllowedActions'][number]): boolean =>
    row.AllowedActions.includes(action)
  const total = row.NextRun?.Total
  const isAcceptable = row.NextRun?.Blockers.every(({ CanAccept }) => CanAccept)
  const no = row.RecurringNo
  return (
    <span className={styles.acts}>
      {can('decide') && total && isAcceptable && (
        <Button
          look="primary"
          loading={proceed.isPending}
          onClick={() => proceed.mutate({ RecurringNo: no, SeenAmount: total, DropLineIds: [] })}
        >
          按今日价格下单 {yuan(total)}
        </Button>
      )}
      {can('resume') && (
        <Button loading={resume.isPending} onClick={() => resume.mutate(no)}>
          恢复
        </Button>
      )}
      {can('skip') && (
        <Button loading={skip.isPending} onClick={() => skip.mutate(no)}>
          {row.Status === 'blocked' ? '跳过本次' : '跳过下一次'}
        </Button>
      )}
      {can('pause') && (
        <Button loading={pause.isPending} onClick={() => pause.mutate(no)}>
          暂停
        </Button>
      )}
      {can('end') && (
        <Button look="text" loading={end.isPending} onClick={() => end.mutate(no)}>
          结束
        </Button>
      )}
    </span>
  )
}

function NextOrder({ row }: { row: RecurringDetail }) {
  const next = row.NextRun
  return (
    <section className={styles.card} aria-label="下一次订单">
      <b>{next ? `下一次订单：${row.NextDue}` : '商品'}</b>
      {next?.Blockers.map(({ Message }) => (
        <span key={Message} role="alert">
          {Message}
        </span>
      ))}
      <ul>
        {row.Lines.map((line) => (
          <li key={line.Id} className={styles.line}>
            <span>
              {line.Name} × {line.Quantity} {line.Unit}
            </span>
            <span>
              今日 {yuan(line.Price)} · 确认单价 {yuan(line.AgreedPrice)}
            </span>
          </li>
        ))}
      </ul>
      {next?.Total && (
        <span>
          合计 {yuan(next.Total)}（含运费 {yuan(next.Freight ?? null)}）
          {next.NeedsApproval && ` · 需要审批：${next.Approvers.join(' → ')}`}
        </span>
      )}
    </section>
  )
}

export function Component() {
  const { id = '' } = useParams()
  const { data, error, refetch } = useQuery(recurringOrder(id))
  if (error && !data) return <ErrorState error={error} onRetry={() => void refetch()} />
  if (!data) return <Loading height={320} />
  return (
    <Page title={`定期采购：${data.Name}`} extra={<Acts row={data} />}>
      <section className={styles.card}>
        <header>
          <StatusTag text={data.StatusText} tone={toneOf(data.Status)} />
          <span>
            {data.ScheduleText} · {data.RecurringNo} · {data.Requester.Name}
          </span>
        </header>
        <span>
          收货：{data.Address || '已删除'} · {data.PaymentKindText} · {data.InvoiceTitle}
          {data.Budget && ` · 预算 ${data.Budget}`}
          {data.CostCenter && ` · 成本中心 ${data.CostCenter}`}
        </span>
        <span>
          单次金额上限 {data.AmountCeiling ? yuan(data.AmountCeiling) : '不限'} · 允许涨价{' '}
          {data.RisePercent ? `${data.RisePercent}%` : '不限'}
          {data.EndsOn && ` · 至 ${data.EndsOn}`}
        </span>
        {data.UpcomingDates.length > 0 && <small>接下来：{data.UpcomingDates.join('、')}</small>}
      </section>
      <NextOrder row={data} />
      <section className={styles.card} aria-label="执行记录">
        <b>执行记录</b>
        {!data.Runs.length && <small>还没有到过下单日期</small>}
        <ul>
          {data.Runs.map((run) => (
            <li key={run.DueOn} className={styles.line}>
              <span>
                {run.DueOn} {run.OutcomeText} {run.ReasonText} {run.Note}
              </span>
              {run.OrderNo && (
                <span>
                  <Link to={paths.order(run.OrderNo)}>{run.OrderNo}</Link> {run.OrderStatusText}{' '}
                  {yuan(run.Amount)}
                </span>
              )}
            </li>
          ))}
        </ul>
      </section>
    </Page>
  )
}
