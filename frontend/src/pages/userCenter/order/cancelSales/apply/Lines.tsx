import { GoodsTable, type GoodsColumn } from '@/desk/GoodsTable'
import type { CancelPreview, Pieces } from '@/domain/cancels/cancels'
import { yuan } from '@/lib/money'
import { getProductTitle } from '@/lib/productTitle'
import { Button } from '@/ui/Button'
import { Stepper } from '@/ui/Stepper'
import styles from './apply.module.css'

interface LinesProps {
  lines: CancelPreview['Lines']
  pieces: Pieces
  onChange: (pieces: Pieces) => void
}

/** The quantity to cancel per line. Shipped pieces, and pieces of an open request, are excluded. */
export function Lines({ lines, pieces, onChange }: LinesProps) {
  const all = Object.fromEntries(lines.map(({ Id, Cancellable }) => [Id, Cancellable]))
  const none = Object.fromEntries(lines.map(({ Id }) => [Id, 0]))
  const columns: readonly GoodsColumn<CancelPreview['Lines'][number]>[] = [
    { title: '单价（含税）', render: ({ UnitPrice }) => yuan(UnitPrice) },
    {
      title: '订购 / 已发',
      render: ({ Quantity, ShippedQuantity, Unit }) => `${Quantity} / ${ShippedQuantity} ${Unit}`,
    },
    { title: '可取消', render: ({ Cancellable }) => Cancellable },
    {
      title: '取消数量',
      render: (line) =>
        line.Cancellable > 0 ? (
          <Stepper
            label={`${getProductTitle(line)} 取消数量`}
            value={pieces[line.Id] ?? 0}
            min={0}
            max={line.Cancellable}
            unit={line.Unit}
            onChange={(quantity) => onChange({ ...pieces, [line.Id]: quantity })}
          />
        ) : (
          <span className={styles.quiet}>不可取消</span>
        ),
    },
  ]
  return (
    <section className={styles.card} aria-label="取消商品">
      <h2>
        取消商品
        <span>
          <Button look="text" size="s" onClick={() => onChange(all)}>
            全部取消
          </Button>
          <Button look="text" size="s" onClick={() => onChange(none)}>
            全不选
          </Button>
        </span>
      </h2>
      <GoodsTable lines={lines} columns={columns} minWidth={640} isShortOnPhone />
    </section>
  )
}
