import { DocumentCard } from '@/desk/DocumentPage'
import type { OrderDetail } from '@/domain/orders/orders'
import { StatusTag } from '@/desk/StatusTag'
import { Track } from '@/domain/orders/Track'
import { getProductTitle } from '@/lib/productTitle'
import { formatTime } from '@/lib/time'
import styles from './detail.module.css'

/** The parcels with carrier, tracking number and contents. */
export function Shipments({ rows }: { rows: OrderDetail['Shipments'] }) {
  return (
    <DocumentCard title="发货记录" label="发货">
      <ul className={styles.parcels}>
        {rows.map((row) => (
          <li key={row.ShipmentNo} id={row.ShipmentNo}>
            <p>
              <b>{row.Carrier}</b>
              <span className={styles.code}>{row.TrackingNo}</span>
              <StatusTag
                text={row.ReceivedAt ? '已签收' : (row.Tracking[0]?.KindText ?? '运输中')}
                tone={row.ReceivedAt ? 'good' : 'brand'}
              />
              <small>
                {formatTime(row.ShippedAt)} 发出
                {row.ReceivedAt && `，${formatTime(row.ReceivedAt)} 签收`}
                {row.AutoReceiveAt && `，${formatTime(row.AutoReceiveAt)} 前未确认则自动确认收货`}
              </small>
            </p>
            <Track trackingNo={row.TrackingNo} rows={row.Tracking} />
            {!row.Tracking.length && !row.ReceivedAt && (
              <small>承运商暂无轨迹，可凭运单号向承运商查询。</small>
            )}
            <small>
              {row.Lines.map((line) => `${getProductTitle(line)} × ${line.Quantity}`).join('；')}
            </small>
          </li>
        ))}
      </ul>
    </DocumentCard>
  )
}
