import type { ReactNode } from 'react'
import { Link } from 'react-router-dom'
import { DocumentCard } from '@/desk/DocumentPage'
import { GoodsTable, type GoodsColumn } from '@/desk/GoodsTable'
import { lineAllocations } from '@/domain/orders/allocations'
import type { OrderDetail } from '@/domain/orders/orders'
import { subtractInFen, yuan } from '@/lib/money'
import { paths } from '@/lib/paths'
import styles from './detail.module.css'

type Line = OrderDetail['Lines'][number]

/** The pieces of a line in another state, for example 已取消 2. A count of 0 is not shown. */
const Exceptions = ({ counts }: { counts: readonly [string, number][] }) =>
  counts.map(
    ([state, pieces]) =>
      pieces > 0 && <span key={state} className={styles.exception}>{`${state} ${pieces}`}</span>,
  )

const COLUMNS: readonly GoodsColumn<Line>[] = [
  { title: '单价（含税）', render: ({ UnitPrice }) => yuan(UnitPrice) },
  {
    title: '数量',
    render: (line) => (
      <>
        {line.Quantity} {line.Unit}
        <Exceptions
          counts={[
            ['已取消', line.CancelledQuantity],
            ['申请取消中', line.CancellingQuantity],
          ]}
        />
      </>
    ),
  },
  {
    title: '已发 / 已收',
    render: (line) => (
      <>
        {line.ShippedQuantity} / {line.ReceivedQuantity}
        <Exceptions
          counts={[
            ['售后中', line.ReturningQuantity],
            ['已退', line.ReturnedQuantity],
          ]}
        />
      </>
    ),
  },
  { title: '金额（含税）', render: ({ Amount }) => yuan(Amount) },
]

const numbersOf = ({ CustomerCode, Model }: Line): string =>
  `${CustomerCode && ` · 物料编码 ${CustomerCode}`}${Model && ` · 型号 ${Model}`}`

const requestOf = ({ AskedBy, CostCenter, RequisitionNo }: Line) =>
  AskedBy && (
    <small>
      {`为 ${AskedBy} 采购${CostCenter && ` · 成本中心 ${CostCenter}`} · 申请 ${RequisitionNo}`}
    </small>
  )

/** The request of a colleague, and the split of the line over several dimensions. */
const notesOf =
  (parts: OrderDetail['Allocations']) =>
  (line: Line): ReactNode => {
    const split = lineAllocations(parts, line.Id)
    return (
      <>
        {requestOf(line)}
        {split && <small>{split}</small>}
      </>
    )
  }

/** The lines with their shipped and received quantities, and the amounts below them. */
export function Goods({ data }: { data: OrderDetail }) {
  return (
    <DocumentCard
      title="商品清单"
      label="商品"
      actions={
        data.Lines.some(({ ReceivedQuantity }) => ReceivedQuantity > 0) && (
          <Link className={styles.reviews} to={paths.review(data.OrderNo)}>
            {data.AllowedActions.includes('review') ? '评价商品' : '查看评价'}
          </Link>
        )
      }
    >
      <GoodsTable
        lines={data.Lines}
        columns={COLUMNS}
        afterCode={numbersOf}
        belowCode={notesOf(data.Allocations)}
      />
      <dl className={styles.sums}>
        <dt>商品金额（含税）</dt>
        <dd>{yuan(data.Amounts.Goods)}</dd>
        <dt>其中商品税额</dt>
        <dd>{yuan(data.Amounts.Tax)}</dd>
        <dt>运费</dt>
        <dd>
          {subtractInFen(data.Amounts.Freight, '0.00') === 0
            ? '免运费'
            : yuan(data.Amounts.Freight)}
        </dd>
        <dt>应付总额</dt>
        <dd className={styles.total}>{yuan(data.Amounts.Total)}</dd>
      </dl>
    </DocumentCard>
  )
}
