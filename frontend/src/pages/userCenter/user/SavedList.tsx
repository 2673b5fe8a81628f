import { Checkbox } from 'antd'
import { useState, type ReactNode } from 'react'
import { CartButton } from '@/domain/cart/CartButton'
import {
  useRemoveSaved,
  useSavedToCart,
  type SavedProduct,
  type Kind,
} from '@/domain/catalog/savedProducts'
import { BROWSED } from '@/domain/catalog/products'
import { LeftOut, type LeftOutRow } from '@/domain/orders/LeftOut'
import { Button } from '@/ui/Button'
import { Dialog } from '@/ui/Dialog'
import { legalQuantity } from '@/ui/quantity'
import { SavedLine } from './SavedLine'
import styles from './saved.module.css'

const getInitialQuantity = ({
  MinQuantity: min,
  StepQuantity: step,
  Stock: max,
}: SavedProduct): number => legalQuantity(min, { min, step, max })

interface SavedListProps {
  kind: Kind
  rows: readonly SavedProduct[]
  /** Groups the lines into sections. The default is a single section. */
  sections?: (lines: (rows: readonly SavedProduct[]) => ReactNode) => ReactNode
}

/**
 * The saved products. The user adds them to the cart or removes them, one by one or all selected.
 */
export function SavedList({ kind, rows, sections = (lines) => lines(rows) }: SavedListProps) {
  const [ticked, setTicked] = useState<readonly string[]>([])
  const [typed, setTyped] = useState<Record<string, number>>({})
  const [isLeaving, setLeaves] = useState(false)
  const [dropping, setDropping] = useState<readonly string[]>([])
  const [refused, setRefused] = useState<LeftOutRow[]>([])
  const drop = useRemoveSaved(kind)
  const toCart = useSavedToCart(kind)
  const chosen = rows.filter(({ ProductCode }) => ticked.includes(ProductCode))
  const since = kind === BROWSED ? '上次浏览时' : '收藏时'
  const tick = (code: string, isOn: boolean): void =>
    setTicked((now) => [...now.filter((one) => one !== code), ...(isOn ? [code] : [])])
  const addToCart = (some: readonly SavedProduct[]): void =>
    toCart.mutate(
      {
        items: some.map((row) => ({
          ProductCode: row.ProductCode,
          Quantity: typed[row.ProductCode] ?? getInitialQuantity(row),
        })),
        isLeaving: isLeaving,
      },
      {
        onSuccess: ({ LeftOut: left }) => {
          setRefused(
            left.map(({ ProductCode, CustomerProductName, Brand, Message }) => ({
              ProductCode,
              Name: CustomerProductName || ProductCode,
              Brand,
              Message,
            })),
          )
          setTicked(left.map(({ ProductCode }) => ProductCode))
        },
      },
    )
  const lines = (some: readonly SavedProduct[]): ReactNode => (
    <ul className={styles.lines}>
      {some.map((row) => (
        <SavedLine
          key={row.ProductCode}
          row={row}
          since={since}
          isPicked={ticked.includes(row.ProductCode)}
          quantity={typed[row.ProductCode] ?? getInitialQuantity(row)}
          isBusy={toCart.isPending}
          onPick={(isOn) => tick(row.ProductCode, isOn)}
          onQuantity={(quantity) => setTyped((now) => ({ ...now, [row.ProductCode]: quantity }))}
          onAdd={() => addToCart([row])}
          onDrop={() => setDropping([row.ProductCode])}
        />
      ))}
    </ul>
  )
  return (
    <>
      <div className={styles.batch} role="group" aria-label="批量操作">
        <Checkbox
          checked={chosen.length > 0 && chosen.length === rows.length}
          indeterminate={chosen.length > 0 && chosen.length < rows.length}
          onChange={({ target }) =>
            setTicked(target.checked ? rows.map(({ ProductCode }) => ProductCode) : [])
          }
        >
          全选本页
        </Checkbox>
        <span className={styles.count}>已选 {chosen.length} 种</span>
        <Checkbox checked={isLeaving} onChange={({ target }) => setLeaves(target.checked)}>
          加入购物车后移除
        </Checkbox>
        <span className={styles.buttons}>
          <Button
            size="s"
            disabled={!chosen.length}
            onClick={() => setDropping(chosen.map(({ ProductCode }) => ProductCode))}
          >
            批量移除
          </Button>
          <CartButton
            hidesReason
            look="primary"
            size="s"
            icon="cart"
            disabled={!chosen.length}
            loading={toCart.isPending}
            onClick={() => addToCart(chosen)}
          >
            批量加入购物车
          </CartButton>
        </span>
      </div>
      {sections(lines)}
      <Dialog
        title={`移除 ${dropping.length} 种商品？`}
        open={dropping.length > 0}
        onClose={() => setDropping([])}
        footer={
          <>
            <Button onClick={() => setDropping([])}>取消</Button>
            <Button
              look="danger"
              loading={drop.isPending}
              onClick={() =>
                drop.mutate(dropping, {
                  onSuccess: () => {
                    setTicked((now) => now.filter((code) => !dropping.includes(code)))
                    setDropping([])
                  },
                })
              }
            >
              移除
            </Button>
          </>
        }
      >
        移除后可在商品页重新收藏或浏览，当时的价格不再保留。
      </Dialog>
      <LeftOut rows={refused} onClose={() => setRefused([])} />
    </>
  )
}
