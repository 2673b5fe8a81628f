import { DocumentCard } from '@/desk/DocumentPage'
import { StatusTag } from '@/desk/StatusTag'
import { Track } from '@/domain/orders/Track'
import type { ReturnDetail } from '@/domain/returns/returns'
import { formatTime } from '@/lib/time'
import styles from './detail.module.css'

/** The direction of a parcel from the customer's view. */
const WAYS: Readonly<Record<string, string>> = {
  back: '寄回商城',
  out: '寄出给您',
  refused: '退还给您',
}

/** The parcels of the return in both directions, with the carrier's events. */
export function Parcels({ rows }: { rows: ReturnDetail['Parcels'] }) {
  return (
    <DocumentCard title="寄送包裹">
      <ul className={styles.parcels}>
        {rows.map(({ Direction, DirectionText, Carrier, TrackingNo, SentAt, Tracking }) => (
          <li key={Direction}>
            <p>
              <b>{WAYS[Direction] ?? DirectionText}</b>
              {Carrier}
              <span className={styles.code}>{TrackingNo}</span>
              {Tracking[0] && (
                <StatusTag
                  text={Tracking[0].KindText}
                  tone={Tracking[0].Kind === 'delivered' ? 'good' : 'brand'}
                />
              )}
              <small>{formatTime(SentAt)} 寄出</small>
            </p>
            <Track trackingNo={TrackingNo} rows={Tracking} />
            {!Tracking.length && <small>承运商暂无轨迹，可凭运单号向承运商查询。</small>}
          </li>
        ))}
      </ul>
    </DocumentCard>
  )
}
