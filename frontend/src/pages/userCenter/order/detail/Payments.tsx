import { DocumentCard } from '@/desk/DocumentPage'
import { StatusTag } from '@/desk/StatusTag'
import type { OrderDetail } from '@/domain/orders/orders'
import { toFen, yuan } from '@/lib/money'
import { formatTime } from '@/lib/time'
import type { Tone } from '@/ui/Small'
import styles from './detail.module.css'

const TONES: Readonly<Record<string, Tone>> = { pending: 'warn', paid: 'good', failed: 'bad' }

/** The payments and attempts, and the deadline for the rest. */
export function Payments({ data }: { data: OrderDetail }) {
  const hasFailed = data.AwaitsPayment && data.Payments.at(-1)?.Status === 'failed'
  return (
    <DocumentCard title="支付记录" label="支付">
      {data.AwaitsPayment && (
        <p className={styles.due} role={hasFailed ? 'alert' : undefined}>
          {hasFailed && <b className={styles.failed}>支付未成功，可重新支付</b>}
          <span>
            待支付 <b>{yuan(data.Amounts.Total)}</b>
          </span>
          {data.PayBy && (
            <span>24 小时内未支付自动取消，请于 {formatTime(data.PayBy)} 前完成支付</span>
          )}
        </p>
      )}
      <ul className={styles.parcels}>
        {data.Payments.map((row) => (
          <li key={row.PaymentNo}>
            <p>
              {row.KindText}
              <b>{yuan(row.Amount)}</b>
              {toFen(row.Refunded) > 0 && <span>已退 {yuan(row.Refunded)}</span>}
              <StatusTag text={row.StatusText} tone={TONES[row.Status] ?? 'plain'} />
              <small>
                {row.PaidAt
                  ? `${formatTime(row.PaidAt)} 支付`
                  : `${formatTime(row.CreatedAt)} 发起`}
              </small>
            </p>
          </li>
        ))}
      </ul>
    </DocumentCard>
  )
}
