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

/** The price per base unit, below or beside the price. */
export function BaseUnitPrice({ product }: { product: Priced }) {
  const text = baseUnitPriceText(product)
  return text && <small className={styles.each}>折合 {text}</small>
}
