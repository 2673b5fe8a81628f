import { DocumentCard } from '@/desk/DocumentPage'
import { GoodsTable, type GoodsColumn } from '@/desk/GoodsTable'
import type { ReturnDetail } from '@/domain/returns/returns'
import { yuan } from '@/lib/money'
import styles from './detail.module.css'

type Line = ReturnDetail['Lines'][number]

const REQUESTED: readonly GoodsColumn<Line>[] = [
  { title: '单价（含税）', render: ({ UnitPrice }) => yuan(UnitPrice) },
  { title: '申请数量', render: ({ Quantity, Unit }) => `${Quantity} ${Unit}` },
]
const INSPECTED: readonly GoodsColumn<Line>[] = [
  { title: '通过数量', render: ({ Accepted }) => Accepted ?? '—' },
  {
    title: '检测结果',
    render: ({ FindingText, FindingNote }) => (
      <>
        {FindingText || '—'}
        {FindingNote && <small>{FindingNote}</small>}
      </>
    ),
  },
]
const REFUNDED: readonly GoodsColumn<Line>[] = [
  {
    title: '退款（含税）',
    render: ({ Amount, Tax }) => (
      <>
        <b className={styles.price}>{yuan(Amount)}</b>
        <small>含税额 {yuan(Tax)}</small>
      </>
    ),
  },
]

/**
 * The lines of a return. The results of the inspection and the refund are shown once they exist.
 */
export function Lines({ data }: { data: ReturnDetail }) {
  const isInspected = data.Lines.some(({ Accepted }) => Accepted !== null)
  const isRefunded = data.RefundedAt !== null
  return (
    <DocumentCard title="售后商品">
      <GoodsTable
        lines={data.Lines}
        columns={[...REQUESTED, ...(isInspected ? INSPECTED : []), ...(isRefunded ? REFUNDED : [])]}
        afterCode={({ Opened }) => Opened && ' · 已拆封'}
        minWidth={640}
        canWrap
      />
      {isRefunded && (
        <p className={styles.total}>
          退款合计 <b className={styles.price}>{yuan(data.RefundAmount)}</b>
        </p>
      )}
    </DocumentCard>
  )
}
