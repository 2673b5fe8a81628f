import { useState } from 'react'
import { useMayRequest } from '@/domain/account/purchasing'
import { getProductTitle } from '@/lib/productTitle'
import { Button } from '@/ui/Button'
import { legalQuantity } from '@/ui/quantity'
import { Stepper } from '@/ui/Stepper'
import styles from './BuyBox.module.css'
import { useAddToCart } from './cart'

interface Buyable {
  ProductCode: string
  CustomerProductName: string
  Brand: string
  Unit: string
  MinQuantity: number
  StepQuantity: number
  Stock: number
  IsOnSale: boolean
}

/** Why this product cannot be put into the cart now, or null. */
export function getRefusal({ IsOnSale, Stock, MinQuantity }: Buyable): string | null {
  if (!IsOnSale) return '已下架'
  if (Stock <= 0) return '暂时缺货'
  return Stock < MinQuantity ? '库存不足起订量' : null
}

/**
 * A typed quantity and 加入购物车, in place: in the grid, in the table and on the product's page.
 */
export function BuyBox({
  product,
  size = 's',
  isStale = false,
  onAdded,
}: {
  product: Buyable
  size?: 's' | 'm' | 'l'
  /** Another product is chosen and not there yet, so this one must not go into the cart. */
  isStale?: boolean
  onAdded?: () => void
}) {
  const { ProductCode, Unit, MinQuantity: min, StepQuantity: step, Stock: max } = product
  const rule = { min, step, max }
  const [quantity, setQuantity] = useState(() => legalQuantity(min, rule))
  const add = useAddToCart()
  const may = useMayRequest()
  const refusal = getRefusal(product)
  if (!may) return size === 'l' ? <p>您的角色仅可浏览商品，不能加入购物车</p> : null
  return (
    <span className={styles.box}>
      <Stepper
        value={quantity}
        onChange={setQuantity}
        {...rule}
        unit={Unit}
        limit="库存"
        wide
        size={size === 's' ? 's' : 'm'}
        label={`${getProductTitle(product)}数量`}
        disabled={refusal !== null || isStale}
      />
      <Button
        look={size === 's' ? 'tint' : 'primary'}
        size={size}
        {...(size === 's' ? {} : { icon: 'cart' as const })}
        disabled={refusal !== null || isStale}
        loading={add.isPending}
        onClick={() => add.mutate([{ ProductCode, Quantity: quantity }], { onSuccess: onAdded })}
      >
        {refusal ?? '加入购物车'}
      </Button>
    </span>
  )
}
