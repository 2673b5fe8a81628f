import type { ProductDetail } from '@/api/schema'
import { sum, times, yuan } from '@/lib/money'
import styles from './detail.module.css'

/** The tiers (阶梯价) as a table: from which quantity a unit costs how much, and what it saves. */
export function Tiers({ product }: { product: ProductDetail }) {
  const { Tiers: tiers, Unit: unit, BaseUnit: base, CustomerPrice: single } = product
  const [first] = tiers
  if (!first || !single) return null
  const hasBase = first.BaseUnitPrice !== null && product.Contents !== 1
  return (
    <table className={styles.tiers}>
      <caption>阶梯价：达到数量时，全部按该级单价结算</caption>
      <thead>
        <tr>
          <th scope="col">数量</th>
          <th scope="col">单价</th>
          {hasBase && <th scope="col">每{base}</th>}
          <th scope="col">省</th>
        </tr>
      </thead>
      <tbody>
        <tr>
          <td>
            {first.Quantity - 1 > product.MinQuantity
              ? `${product.MinQuantity}–${first.Quantity - 1} ${unit}`
              : `${product.MinQuantity} ${unit}`}
          </td>
          <td>{yuan(single)}</td>
          {hasBase && <td>¥{product.BaseUnitPrice}</td>}
          <td>—</td>
        </tr>
        {tiers.map((tier) => (
          <tr key={tier.Quantity}>
            <td>
              {tier.Quantity} {unit}起
            </td>
            <td>{yuan(tier.Price)}</td>
            {hasBase && <td>¥{tier.BaseUnitPrice}</td>}
            <td>{yuan(times(sum([single, `-${tier.Price}`]), tier.Quantity))}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
