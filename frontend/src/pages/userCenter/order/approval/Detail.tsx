import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router-dom'
import { StatusTag } from '@/desk/StatusTag'
import { approval, type Approval } from '@/domain/approvals/approvals'
import { order } from '@/domain/orders/orders'
import { compareMoney, sum, yuan } from '@/lib/money'
import { paths } from '@/lib/paths'
import { formatTime } from '@/lib/time'
import { cx } from '@/ui/cx'
import { ErrorState, Loading } from '@/ui/States'
import { ProductImage } from '@/ui/ProductImage'
import styles from './approval.module.css'
import { Decide } from './Decide'
import { toneOf } from './tones'

function Chain({ steps }: { steps: Approval['Steps'] }) {
  return (
    <ol className={styles.chain} aria-label="审批流程">
      {steps.map((step) => (
        <li key={step.No}>
          <i>{step.No}</i>
          <div>
            <p>
              <b>{step.ForStaff ? '平台客服' : step.Tasks.map(({ Approver }) => Approver.Name).join('、')}</b>
              {step.Tasks.length > 1 && <small>{step.Mode === 'all' ? '全部同意' : '任一人同意'}</small>}
              <StatusTag text={step.StatusText} tone={toneOf(step.Status)} />
            </p>
            <small>{step.RuleName}</small>
            {step.Tasks.filter(({ At, Comment }) => At || Comment).map((task) => (
              <small key={task.Approver.Id}>
                {task.Approver.Name} {task.StatusText} {task.At && formatTime(task.At)} {task.Comment}
              </small>
            ))}
            {step.Note && <small>{step.Note}</small>}
          </div>
        </li>
      ))}
    </ol>
  )
}

/** What is bought, and what it does to the budget: enough to decide without leaving the page. */
function Subject({ no }: { no: string }) {
  const { data, error } = useQuery(order(no))
  if (error) return <p className={styles.quiet}>订单内容暂时无法显示，请打开订单查看</p>
  if (!data) return <Loading height={200} />
  return (
    <>
      {data.Budget && (
        <section aria-label="预算影响">
          <h3>预算影响</h3>
          <p>{data.Budget.Name}</p>
          <dl className={styles.budget}>
            <dt>下单前可用</dt>
            <dd>{yuan(sum([data.Budget.Available, data.Budget.Reserved]))}</dd>
            <dt>本单占用</dt>
            <dd>{yuan(data.Budget.Reserved)}</dd>
            <dt>下单后可用</dt>
            <dd className={cx(compareMoney(data.Budget.Available, '0.00') < 0 && styles.over)}>{yuan(data.Budget.Available)}</dd>
          </dl>
        </section>
      )}
      <section aria-label="商品">
        <h3>商品（{data.Lines.length} 种）</h3>
        <ul className={styles.goods}>
          {data.Lines.map((line) => (
            <li key={line.Id}>
              <span className={styles.picture}>
                <ProductImage src={line.ImageUrl} alt="" />
              </span>
              <span>
                {line.Name}
                <small>编码 {line.ProductCode}</small>
              </span>
              <span>
                {yuan(line.UnitPrice)} × {line.Quantity} {line.Unit}
              </span>
              <b>{yuan(line.Amount)}</b>
            </li>
          ))}
        </ul>
      </section>
      {data.Remark && (
        <section aria-label="备注">
          <h3>备注</h3>
          <p>{data.Remark}</p>
        </section>
      )}
    </>
  )
}

export function Detail({ id }: { id: string }) {
  const { data, error, refetch } = useQuery(approval(id))
  if (error && !data) return <ErrorState error={error} onRetry={() => void refetch()} back={{ to: paths.approvals(), label: '返回审批列表' }} />
  if (!data) return <Loading height={480} />
  return (
    <article className={styles.detail} aria-label={`审批 ${data.SubjectNo}`}>
      <header>
        <h2>
          <Link to={paths.order(data.SubjectNo)}>{data.SubjectNo}</Link>
          <StatusTag text={data.StatusText} tone={toneOf(data.Status)} />
        </h2>
        <strong>{yuan(data.Amount)}</strong>
        <p>
          {data.Requester.Name}
          {data.Department && ` · ${data.Department}`} · {formatTime(data.CreatedAt)} 提交
        </p>
      </header>
      <section aria-label="审批原因">
        <h3>为什么需要审批</h3>
        <ul className={styles.reasons}>
          {data.Reasons.map((reason) => (
            <li key={reason}>{reason}</li>
          ))}
        </ul>
      </section>
      <Subject no={data.SubjectNo} />
      <section aria-label="流程">
        <h3>审批流程</h3>
        <Chain steps={data.Steps} />
      </section>
      <Decide approval={data} />
    </article>
  )
}
