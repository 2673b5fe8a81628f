import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { Link, useNavigate } from 'react-router-dom'
import { StatusTag } from '@/desk/StatusTag'
import { Amendments } from '@/domain/approvals/Amendments'
import { decision, type BoxFilters, type Decision } from '@/domain/approvals/approvals'
import { yuan } from '@/lib/money'
import { paths } from '@/lib/paths'
import { formatTime } from '@/lib/time'
import { useKeys } from '@/lib/useKeys'
import { ErrorState, Loading } from '@/ui/States'
import styles from './approval.module.css'
import { Batch } from './Batch'
import { Chain } from './Chain'
import { Copies } from './Copies'
import { Decide } from './Decide'
import { Discussion } from './Discussion'
import { Effect } from './Effect'
import { Lines } from './Lines'
import { getTone } from './tones'
import { Urge, Waited } from './Waited'

const Amend = lazy(() => import(/* webpackChunkName: "amend" */ './Amend'))

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
    <Link className="touch" to={to} aria-keyshortcuts={shortcut}>
      {shown}
    </Link>
  )
}

/** Go to the previous or next approval of the box, also with K and J. */
function Walk({ above, below }: { above: string | null; below: string | null }) {
  const navigate = useNavigate()
  useKeys({
    k: above ? () => void navigate(above) : undefined,
    j: below ? () => void navigate(below) : undefined,
  })
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
        <StatusTag text={approval.StatusText} tone={getTone(approval.Status)} />
        <Waited wait={approval.Waiting} />
        <Urge approval={approval} />
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
  /** The address of the approval above (-1) or below (1). */
  hrefOf: (id: string, step: -1 | 1) => string
}

/** One approval with everything that the decision needs. */
export function Detail({ id, filters, hrefOf }: Props) {
  const { data, error, refetch } = useQuery(decision(id, filters))
  const [isAmending, setAmending] = useState(false)
  if (error && !data)
    return (
      <ErrorState
        error={error}
        onRetry={() => void refetch()}
        back={{ to: paths.approvals(), label: '返回审批列表' }}
      />
    )
  if (!data) return <Loading height={480} />
  const { Approval: approval, Order: order } = data
  const amended = isAmending && approval.AllowedActions.includes('amend') ? order : null
  return (
    <article className={styles.detail} aria-label={`审批 ${approval.SubjectNo}`}>
      <Walk
        above={data.Above && hrefOf(data.Above, -1)}
        below={data.Below && hrefOf(data.Below, 1)}
      />
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
      {amended ? (
        <Suspense fallback={<Loading height={240} />}>
          <Amend approval={approval} order={amended} onClose={() => setAmending(false)} />
        </Suspense>
      ) : (
        order && <Lines order={order} />
      )}
      {order && order.Batch.length > 1 && <Batch order={order} />}
      {data.Amendments.length > 0 && (
        <section aria-label="调整记录">
          <h3>调整记录</h3>
          <Amendments rows={data.Amendments} />
        </section>
      )}
      {order?.Remark && (
        <section aria-label="备注">
          <h3>备注</h3>
          <p>{order.Remark}</p>
        </section>
      )}
      <section aria-label="流程">
        <h3>审批流程</h3>
        <Chain approval={approval} standIns={data.StandIns} />
      </section>
      <Copies data={data} />
      <Discussion data={data} />
      {!amended && (
        <Decide approval={approval} onAmend={order ? () => setAmending(true) : undefined} />
      )}
    </article>
  )
}
