import type { OrderDetail } from '@/domain/orders/orders'
import { formatTime } from '@/lib/time'
import styles from './track.module.css'

type Tracking = OrderDetail['Shipments'][number]['Tracking']

/** The carrier's events of a parcel, newest first. */
export const Track = ({ trackingNo, rows }: { trackingNo: string; rows: Tracking }) =>
  rows.length > 0 && (
    <ol className={styles.track} aria-label={`${trackingNo} 的物流轨迹`}>
      {rows.map(({ At, KindText, Text }) => (
        <li key={`${At}${Text}`}>
          <b>{KindText}</b>
          <span>{Text}</span>
          <time dateTime={At}>{formatTime(At)}</time>
        </li>
      ))}
    </ol>
  )
