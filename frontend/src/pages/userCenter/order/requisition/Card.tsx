import { useState } from 'react'
import { Link } from 'react-router-dom'
import { StatusTag } from '@/desk/StatusTag'
import { getTone, type Requisition, type RequisitionLine } from '@/domain/requisitions/requisitions'
import { yuan } from '@/lib/money'
import { paths } from '@/lib/paths'
import { getProductTitle } from '@/lib/productTitle'
import { formatTime } from '@/lib/time'
import { Button } from '@/ui/Button'
import { ProductImage } from '@/ui/ProductImage'
import { Stepper } from '@/ui/Stepper'
import styles from './requisition.module.css'

export type Picked = ReadonlyMap<string, number>

interface LineProps {
  line: RequisitionLine
  picked: number | undefined
  canGather: boolean
  onPick: (id: string, quantity: number | null) => void
}

/** The progress of a line: its state and the orders that contain it. */
function Fate({ line }: { line: RequisitionLine }) {
  return (
    <span className={styles.fate}>
      {line.GatheredBy && (
        <small>{`${line.GatheredBy.Name}正在采购 ${line.GatheredQuantity} ${line.Unit}`}</small>
      )}
      {line.Takes.map((take) => (
        <small key={take.OrderNo}>
          {take.Buyer.Name} 已下单 {take.Quantity} {line.Unit}{' '}
          <Link to={paths.order(take.OrderNo)}>{take.OrderNo}</Link>
        </small>
      ))}
    </span>
  )
}

function Line({ line, picked, canGather, onPick }: LineProps) {
  const isFree = canGather && line.Left > 0 && !line.GatheredBy
  return (
    <li>
      {canGather && (
        <input
          type="checkbox"
          aria-label={`选择${getProductTitle(line)}`}
          disabled={!isFree}
          checked={picked !== undefined}
          onChange={(event) => onPick(line.Id, event.target.checked ? line.Left : null)}
        />
      )}
      <span className={styles.picture}>
        <ProductImage src={line.ImageUrl} alt="" />
      </span>
      <span className={styles.what}>
        <Link className="touch" to={paths.product(line.ProductCode)}>
          {getProductTitle(line)}
        </Link>
        <small>
          编码 {line.ProductCode} · 申请时 {yuan(line.Price)} / {line.Unit}
        </small>
      </span>
      <span className={styles.count}>
        申请 {line.Quantity} {line.Unit}
        {line.OrderedQuantity > 0 && (
          <small>{`已下单 ${line.OrderedQuantity}，剩余 ${line.Left}`}</small>
        )}
      </span>
      <Fate line={line} />
      {picked !== undefined && (
        <Stepper
          value={picked}
          min={1}
          max={line.Left}
          unit={line.Unit}
          size="s"
          label={`${getProductTitle(line)}的采购数量`}
          onChange={(quantity) => onPick(line.Id, quantity)}
        />
      )}
    </li>
  )
}

interface CardProps {
  row: Requisition
  picked: Picked
  onPick: (changes: readonly (readonly [string, number | null])[]) => void
  onReturn: () => void
  onWithdraw: () => void
}

const daysSince = (at: string): number => Math.floor((Date.now() - Date.parse(at)) / 86_400_000)

/** One requisition: requester, cost centre, time, and the progress of each line. */
export function Card({ row, picked, onPick, onReturn, onWithdraw }: CardProps) {
  const [now] = useState(() => daysSince(row.SubmittedAt))
  const can = (action: Requisition['AllowedActions'][number]): boolean =>
    row.AllowedActions.includes(action)
  const free = row.Lines.filter(({ Left, GatheredBy }) => Left > 0 && !GatheredBy)
  const all = free.length > 0 && free.every(({ Id }) => picked.has(Id))
  const isOpen = row.Status === 'open' || row.Status === 'partly'
  return (
    <li className={styles.card} aria-label={`采购申请 ${row.RequisitionNo}`}>
      <header>
        {can('gather') && (
          <input
            type="checkbox"
            aria-label={`选择申请 ${row.RequisitionNo} 的全部商品`}
            disabled={!free.length}
            checked={all}
            onChange={(event) =>
              onPick(free.map(({ Id, Left }) => [Id, event.target.checked ? Left : null]))
            }
          />
        )}
        <b>{row.RequisitionNo}</b>
        <StatusTag text={row.StatusText} tone={getTone(row.Status)} />
        <span>
          {row.Requester.Name}
          {row.Department && ` · ${row.Department}`}
          {row.CostCenter && ` · 成本中心 ${row.CostCenter}`}
        </span>
        <small>
          {formatTime(row.SubmittedAt)}
          {isOpen && now > 0 && ` · 已等待 ${now} 天`}
        </small>
        <span className={styles.acts}>
          {can('return') && (
            <Button look="text" size="s" onClick={onReturn}>
              退回
            </Button>
          )}
          {can('withdraw') && (
            <Button look="text" size="s" onClick={onWithdraw}>
              撤回
            </Button>
          )}
        </span>
      </header>
      {row.Reason && <p className={styles.note}>申请说明：{row.Reason}</p>}
      {row.ClosedReason && (
        <p className={styles.note}>{`${row.StatusText}原因：${row.ClosedReason}`}</p>
      )}
      <ul>
        {row.Lines.map((line) => (
          <Line
            key={line.Id}
            line={line}
            picked={picked.get(line.Id)}
            canGather={can('gather')}
            onPick={(id, quantity) => onPick([[id, quantity]])}
          />
        ))}
      </ul>
    </li>
  )
}
