import { useQuery } from '@tanstack/react-query'
import { Popconfirm } from 'antd'
import { useState } from 'react'
import { Link, useParams } from 'react-router-dom'
import { Page } from '@/desk/Page'
import { StatusTag } from '@/desk/StatusTag'
import { Timeline } from '@/desk/Timeline'
import {
  recurringOrder,
  getTone,
  useContinue,
  useEnd,
  usePause,
  useResume,
  useSkip,
  type RecurringDetail,
} from '@/domain/recurring/recurring'
import { yuan } from '@/lib/money'
import { paths } from '@/lib/paths'
import { getProductTitle } from '@/lib/productTitle'
import { Button, ButtonLink } from '@/ui/Button'
import { cx } from '@/ui/cx'
import { ErrorState, Loading } from '@/ui/States'
import styles from './recurring.module.css'

function Acts({ row }: { row: RecurringDetail }) {
  const pause = usePause()
  const resume = useResume()
  const skip = useSkip()
  const end = useEnd()
  const can = (action: RecurringDetail['AllowedActions'][number]): boolean =>
    row.AllowedActions.includes(action)
  const no = row.RecurringNo
  return (
    <span className={styles.acts}>
      {can('change') && <ButtonLink to={paths.editRecurringOrder(no)}>修改</ButtonLink>}
      {can('resume') && (
        <Button loading={resume.isPending} onClick={() => resume.mutate(no)}>
          恢复
        </Button>
      )}
      {can('skip') && row.Status !== 'blocked' && (
        <Popconfirm
          title={`跳过 ${row.NextDue} 的订单？`}
          okText="跳过"
          onConfirm={() => skip.mutate(no)}
        >
          <Button loading={skip.isPending}>跳过下一次</Button>
        </Popconfirm>
      )}
      {can('pause') && (
        <Button loading={pause.isPending} onClick={() => pause.mutate(no)}>
          暂停
        </Button>
      )}
      {can('end') && (
        <Popconfirm
          title={`结束“${row.Name}”？`}
          description="结束后不再下单，也不能恢复；已生成的订单不受影响"
          okText="结束"
          okButtonProps={{ danger: true }}
          onConfirm={() => end.mutate(no)}
        >
          <Button look="text" loading={end.isPending}>
            结束
          </Button>
        </Popconfirm>
      )}
    </span>
  )
}

/**
 * The answer to a stop: order now at the amount seen, without the dropped lines, or skip the date.
 * `next` is the order without them.
 */
function Decision({
  row,
  next,
  dropped,
  isComputing,
}: {
  row: RecurringDetail
  next: RecurringDetail['NextRun']
  dropped: string[]
  isComputing: boolean
}) {
  const proceed = useContinue()
  const skip = useSkip()
  const no = row.RecurringNo
  const total = next?.Total
  const isAcceptable = next?.Blockers.every(({ CanAccept }) => CanAccept)
  const canDecide = row.AllowedActions.includes('decide')
  return (
    <>
      {canDecide && total && isAcceptable && !isComputing && (
        <Popconfirm
          title={`按今日价格下单，合计 ${yuan(total)}？`}
          description={
            dropped.length
              ? `移除的 ${dropped.length} 种商品今后也不再采购；今日价格成为新的确认单价`
              : '今日价格成为新的确认单价；审批按正常流程进行'
          }
          okText="下单"
          onConfirm={() =>
            proceed.mutate({ RecurringNo: no, SeenAmount: total, DropLineIds: dropped })
          }
        >
          <Button look="primary" loading={proceed.isPending}>
            {dropped.length ? '移除所选商品并下单' : '按今日价格下单'} {yuan(total)}
          </Button>
        </Popconfirm>
      )}
      {canDecide && !isComputing && !isAcceptable && (
        <small>移除有问题的商品，或修改后再下单；也可以跳过本次</small>
      )}
      {row.AllowedActions.includes('skip') && (
        <Button loading={skip.isPending} onClick={() => skip.mutate(no)}>
          跳过本次
        </Button>
      )}
    </>
  )
}

function NextOrder({ row }: { row: RecurringDetail }) {
  const [chosen, setChosen] = useState<readonly string[]>([])
  // A dropped line is gone after the order.
  const dropped = row.Lines.map(({ Id }) => Id).filter((id) => chosen.includes(id))
  const { data, isFetching, error } = useQuery({
    ...recurringOrder(row.RecurringNo, dropped),
    enabled: dropped.length > 0,
  })
  const next = dropped.length > 0 ? (data?.NextRun ?? null) : row.NextRun
  const isStopped = row.Status === 'blocked'
  const canDrop = row.AllowedActions.includes('decide') && row.Lines.length > 1
  const drop = (id: string, isDropped: boolean): void =>
    setChosen(isDropped ? [...dropped, id] : dropped.filter((each) => each !== id))
  return (
    <section className={styles.card} aria-label="下一次订单" aria-busy={isFetching}>
      <b>
        {!row.NextRun && '商品'}
        {row.NextRun && (isStopped ? '待处理的订单：' : '下一次订单：') + row.NextDue}
      </b>
      {error && dropped.length > 0 && <span role="alert">{error.message}</span>}
      {next?.Blockers.map(({ Message }) => (
        <span key={Message} role="alert">
          {Message}
        </span>
      ))}
      <ul>
        {row.Lines.map((line) => (
          <li
            key={line.Id}
            className={cx(styles.line, dropped.includes(line.Id) && styles.dropped)}
          >
            <span className={styles.name}>
              {getProductTitle(line)} × {line.Quantity} {line.Unit}
              <small>
                今日 {yuan(line.Price)} · 确认单价 {yuan(line.AgreedPrice)}
              </small>
            </span>
            {canDrop && (
              <label>
                <input
                  type="checkbox"
                  aria-label={`移除 ${getProductTitle(line)}`}
                  checked={dropped.includes(line.Id)}
                  disabled={!dropped.includes(line.Id) && dropped.length >= row.Lines.length - 1}
                  onChange={(event) => drop(line.Id, event.target.checked)}
                />{' '}
                移除
              </label>
            )}
          </li>
        ))}
      </ul>
      {next?.Total && (
        <span>
          合计 {yuan(next.Total)}（含运费 {yuan(next.Freight ?? null)}）
          {next.NeedsApproval && ` · 需要审批：${next.Approvers.join(' → ')}`}
        </span>
      )}
      {isStopped && (
        <span className={styles.acts}>
          <Decision row={row} next={next} dropped={dropped} isComputing={isFetching && !data} />
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
          <StatusTag text={data.StatusText} tone={getTone(data.Status)} />
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
        <span>
          审批：{data.ApprovalModeText}
          {data.StandingApproval && (
            <>
              {' '}
              · 沿用订单{' '}
              <Link to={paths.order(data.StandingApproval.OrderNo)}>
                {data.StandingApproval.OrderNo}
              </Link>{' '}
              的审批，有效至 {data.StandingApproval.ValidTo}
            </>
          )}
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
      <Timeline events={data.Timeline} />
    </Page>
  )
}
