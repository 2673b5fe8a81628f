import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from 'react-router-dom'
import { StatusTag } from '@/desk/StatusTag'
import { decision, type BoxFilters, type Decision } from '@/domain/approvals/approvals'
import { yuan } from '@/lib/money'
import { paths } from '@/lib/paths'
import { formatTime } from '@/lib/time'
import { useKeys } from '@/lib/useKeys'
import { ErrorState, Loading } from '@/ui/States'
import styles from './approval.module.css'
import { Chain } from './Chain'
import { Decide } from './Decide'
import { Effect } from './Effect'
import { Lines } from './Lines'
import { toneOf } from './tones'

function Step({ to, text, shortcut }: { to: string | null; text: string; shortcut: string }) {
  const shown = (
    <>
      {text} <kbd aria-hidden>{shortcut}</kbd>
    </>
  )
  if (!to)
    return (
      <span role="link" aria-disabled="true">
        {shown}
      </span>
    )
  return (
    <Link to={to} aria-keyshortcuts={shortcut}>
      {shown}
    </Link>
  )
}

/** From one of the box to the next; K and J do the same. */
function Walk({ above, below }: { above: string | null; below: string | null }) {
  const navigate = useNavigate()
  useKeys({ k: above ? () => void navigate(above) : undefined, j: below ? () => void navigate(below) : undefined })
  return (
    <nav className={styles.walk} aria-label="上一条与下一条">
      <Step to={above} text="上一条" shortcut="K" />
      <Step to={below} text="下一条" shortcut="J" />
    </nav>
  )
}

function Head({ approval }: { approval: Decision['Approval'] }) {
  return (
    <header>
      <h2>
        <Link to={paths.order(approval.SubjectNo)}>{approval.SubjectNo}</Link>
        <StatusTag text={approval.StatusText} tone={toneOf(approval.Status)} />
      </h2>
      <strong>{yuan(approval.Amount)}</strong>
      <p>
        {approval.Requester.Name}
        {approval.Department && ` · ${approval.Department}`} · {formatTime(approval.CreatedAt)} 提交
      </p>
    </header>
  )
}

interface Props {
  id: string
  filters: BoxFilters
  /** The address of another of the box; the step is -1 above, 1 below. */
  hrefOf: (id: string, step: -1 | 1) => string
}

/** One approval whole: enough to decide without leaving the page. */
export function Detail({ id, filters, hrefOf }: Props) {
  const { data, error, refetch } = useQuery(decision(id, filters))
  if (error && !data) return <ErrorState error={error} onRetry={() => void refetch()} back={{ to: paths.approvals(), label: '返回审批列表' }} />
  if (!data) return <Loading height={480} />
  const { Approval: approval, Order: order } = data
  return (
    <article className={styles.detail} aria-label={`审批 ${approval.SubjectNo}`}>
      <Walk above={data.Above && hrefOf(data.Above, -1)} below={data.Below && hrefOf(data.Below, 1)} />
      <Head approval={approval} />
      <section aria-label="审批原因">
        <h3>为什么需要审批</h3>
        <ul className={styles.reasons}>
          {approval.Reasons.map((reason) => (
            <li key={reason}>{reason}</li>
          ))}
        </ul>
      </section>
      {order && <Effect order={order} amount={approval.Amount} name={approval.Requester.Name} />}
      {order && <Lines order={order} />}
      {order?.Remark && (
        <section aria-label="备注">
          <h3>备注</h3>
          <p>{order.Remark}</p>
        </section>
      )}
      <section aria-label="流程">
        <h3>审批流程</h3>
        <Chain steps={approval.Steps} standIns={data.StandIns} />
      </section>
      <Decide approval={approval} />
    </article>
  )
}
