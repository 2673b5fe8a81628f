import type { OrderDetail } from '@/domain/orders/orders'
import { StatusTag } from '@/desk/StatusTag'
import { formatTime } from '@/lib/time'
import styles from './detail.module.css'

/** Each parcel: who carries it, under what number, what is in it. */
export function Shipments({ rows }: { rows: OrderDetail['Shipments'] }) {
  return (
    <section className={styles.card} aria-label="发货">
      <h2>发货记录</h2>
      <ul className={styles.parcels}>
        {rows.map((row) => (
          <li key={row.ShipmentNo}>
            <p>
              <b>{row.Carrier}</b>
              <span className={styles.code}>{row.TrackingNo}</span>
              <StatusTag text={row.ReceivedAt ? '已签收' : '运输中'} tone={row.ReceivedAt ? 'good' : 'brand'} />
              <small>
                {formatTime(row.ShippedAt)} 发出
                {row.ReceivedAt && `，${formatTime(row.ReceivedAt)} 签收`}
              </small>
            </p>
            <small>{row.Lines.map((line) => `${line.Name} × ${line.Quantity}`).join('；')}</small>
          </li>
        ))}
      </ul>
    </section>
  )
}
