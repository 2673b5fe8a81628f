import type { SelectItem } from '@/api/schema'
import { CartButton } from '@/domain/cart/CartButton'
import { useAddToCart } from '@/domain/cart/cart'
import { subtractInFen, fromFen, sum, toFen, yuan } from '@/lib/money'
import { paths } from '@/lib/paths'
import { Button, ButtonLink } from '@/ui/Button'
import { cx } from '@/ui/cx'
import { exportSheet } from './files'
import { Item } from './Item'
import { cartItems, replaceProducts, totalOf, without, withQuantity, type Line } from './lines'
import styles from './select.module.css'

interface Props {
  items: readonly SelectItem[]
  lines: readonly Line[]
  onLines: (lines: Line[]) => void
  /** If there is no budget, nothing is compared with it. */
  budget?: string
  freight?: string
  onWord?: ((item: SelectItem, word: string) => void) | undefined
}

/** The remaining budget as a figure and a bar. */
function Meter({ total, budget }: { total: string; budget: string }) {
  const left = toFen(budget) - toFen(total)
  const share = Math.min(100, (toFen(total) / Math.max(1, toFen(budget))) * 100)
  return (
    <div className={cx(styles.meter, left < 0 && styles.over)}>
      <span>
        预算 {yuan(budget)}，
        {left < 0 ? `超出 ${yuan(fromFen(-left))}` : `剩余 ${yuan(fromFen(left))}`}
      </span>
      <i role="img" aria-label={`已用 ${Math.round(share)}%`}>
        <i style={{ width: `${share}%` }} />
      </i>
    </div>
  )
}

/** The items with their chosen lines. The footer has the total and the actions on all lines. */
export function Result({ items, lines, onLines, budget, freight = '0.00', onWord }: Props) {
  const add = useAddToCart()
  const goods = totalOf(lines)
  const total = sum([goods, freight])
  return (
    <>
      <ol className={styles.items} aria-label="选品结果">
        {items.map((item) => (
          <Item
            key={item.No}
            item={item}
            lines={lines.filter((line) => line.item === item.No)}
            onReplace={(product) => onLines(replaceProducts(lines, item.No, product))}
            onQuantity={(line, quantity) => onLines(withQuantity(lines, line, quantity))}
            onRemove={(line) => onLines(without(lines, line))}
            onWord={onWord && ((word) => onWord(item, word))}
          />
        ))}
      </ol>
      <div className={styles.bar} role="region" aria-label="合计">
        {budget !== undefined && <Meter total={total} budget={budget} />}
        <p className={styles.total} aria-live="polite">
          共 <b>{lines.length}</b> 种，合计（含税）
          <strong>{yuan(total)}</strong>
          <small>
            {budget === undefined
              ? '运费在结算时按收货地址计算'
              : subtractInFen(freight, '0.00') > 0
                ? `含运费 ${yuan(freight)}（默认收货地址）`
                : '默认收货地址免运费'}
          </small>
        </p>
        <span className={styles.acts}>
          <Button onClick={() => void exportSheet(items, lines)}>导出 Excel</Button>
          {add.isSuccess && (
            <ButtonLink to={paths.cart()} look="tint">
              去购物车
            </ButtonLink>
          )}
          <CartButton
            look="primary"
            size="l"
            icon="cart"
            disabled={!lines.length}
            loading={add.isPending}
            onClick={() => add.mutate(cartItems(lines))}
          >
            全部加入购物车
          </CartButton>
        </span>
      </div>
    </>
  )
}
