import styles from './Price.module.css'

interface Priced {
  BaseUnit?: string
  Contents?: number | null
  BaseUnitPrice?: string | null
}

/**
 * "¥1.75/支": the price per base unit (折合单价). '' without contents, and if one unit of sale is one
 * base unit, so that the price already says it.
 */
export const baseUnitPriceText = ({ BaseUnit, Contents, BaseUnitPrice }: Priced): string =>
  BaseUnitPrice && Contents !== 1 ? `¥${BaseUnitPrice}/${BaseUnit}` : ''

export interface Tier {
  Quantity: number
  Price: string
  BaseUnitPrice: string | null
}

/** "10 盒起 ¥9.00": the first tier (阶梯价). '' without tiers. */
export const firstTierText = ({
  Tiers: [tier] = [],
  Unit,
}: {
  Tiers?: readonly Tier[]
  Unit?: string | null
}): string => (tier ? `${tier.Quantity} ${Unit ?? '件'}起 ¥${tier.Price}` : '')

/** The price per base unit, below or beside the price. */
export function BaseUnitPrice({ product }: { product: Priced }) {
  const text = baseUnitPriceText(product)
  return text && <small className={styles.each}>折合 {text}</small>
}

/** The first tier, below the price. */
export function FirstTier({ product }: { product: Parameters<typeof firstTierText>[0] }) {
  const text = firstTierText(product)
  return text && <small className={styles.each}>{text}</small>
}
