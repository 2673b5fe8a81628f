import { useState } from 'react'
import type { ListedProduct, ProductRow } from '@/api/schema'
import { getRefusal } from '@/domain/cart/BuyBox'
import { CartButton } from '@/domain/cart/CartButton'
import { useAddToCart } from '@/domain/cart/cart'
import { useVariantChoice } from '@/domain/catalog/variantChoice'
import { sum, times } from '@/lib/money'
import { Button } from '@/ui/Button'
import { Checkbox } from '@/ui/Choice'
import { Price } from '@/ui/Price'
import { legalQuantity } from '@/ui/quantity'
import styles from './list.module.css'
import { TableRow } from './TableRow'

const TITLES = ['商品', '规格', '价格', '起订', '库存', '送达', '数量']

/** The initial quantity of a row: the minimum order quantity. */
const getInitialQuantity = ({
  MinQuantity: min,
  StepQuantity: step,
  Stock: max,
}: ProductRow): number => legalQuantity(min, { min, step, max })

/**
 * The products as a table with quantity fields. Typing a quantity selects the row. The bar adds all
 * selected rows to the cart in one request.
 */
export default function ResultTable({ rows: listed }: { rows: readonly ListedProduct[] }) {
  const choiceOf = useVariantChoice()
  const choices = listed.map(choiceOf)
  const rows = listed.map((row, index) => choices[index]?.picked ?? row)
  const [typed, setTyped] = useState<Record<string, number>>({})
  const [picked, setPicked] = useState<readonly string[]>([])
  const add = useAddToCart()
  const quantityOf = (row: ProductRow): number => typed[row.ProductCode] ?? getInitialQuantity(row)
  const buyable = rows.filter(
    (row, index) => getRefusal(row) === null && !choices[index]?.isPending,
  )
  const chosen = buyable.filter(({ ProductCode }) => picked.includes(ProductCode))
  const pick = (code: string, isOn: boolean): void =>
    setPicked((now) => [...now.filter((one) => one !== code), ...(isOn ? [code] : [])])
  const addToCart = (lines: readonly ProductRow[]): void =>
    add.mutate(
      lines.map((row) => ({ ProductCode: row.ProductCode, Quantity: quantityOf(row) })),
      {
        onSuccess: () =>
          setPicked((now) =>
            now.filter((code) => !lines.some(({ ProductCode }) => ProductCode === code)),
          ),
      },
    )
  return (
    <>
      <div className={styles.table}>
        <table>
          <thead>
            <tr>
              <th scope="col">
                <Checkbox
                  label="选择本页全部"
                  checked={chosen.length > 0 && chosen.length === buyable.length}
                  indeterminate={chosen.length > 0 && chosen.length < buyable.length}
                  onChange={(isOn) =>
                    setPicked(isOn ? buyable.map(({ ProductCode }) => ProductCode) : [])
                  }
                />
              </th>
              {TITLES.map((title) => (
                <th key={title} scope="col">
                  {title}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {listed
              .map((own, index) => ({ own, row: rows[index] ?? own }))
              .map(({ own, row }) => (
                <TableRow
                  key={own.ProductCode}
                  row={row}
                  listed={own}
                  choice={choiceOf(own)}
                  quantity={quantityOf(row)}
                  isPicked={picked.includes(row.ProductCode)}
                  isBusy={add.isPending}
                  onPick={(isOn) => pick(row.ProductCode, isOn)}
                  onQuantity={(quantity) => {
                    setTyped((now) => ({ ...now, [row.ProductCode]: quantity }))
                    pick(row.ProductCode, true)
                  }}
                  onAdd={() => addToCart([row])}
                />
              ))}
          </tbody>
        </table>
      </div>
      {chosen.length > 0 && (
        <div className={styles.together} role="region" aria-label="批量加入购物车">
          <span>
            已选 <b>{chosen.length}</b> 种
          </span>
          <Button look="text" onClick={() => setPicked([])}>
            清空选择
          </Button>
          <span>合计</span>
          <Price value={sum(chosen.map((row) => times(row.CustomerPrice, quantityOf(row))))} />
          <CartButton
            look="primary"
            icon="cart"
            loading={add.isPending}
            onClick={() => addToCart(chosen)}
          >
            批量加入购物车
          </CartButton>
        </div>
      )}
    </>
  )
}
