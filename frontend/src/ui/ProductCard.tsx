import type { ReactNode } from 'react'
import { Link } from 'react-router-dom'
import { paths } from '@/lib/paths'
import { getProductTitle, prependBrand } from '@/lib/productTitle'
import { baseUnitPriceText, firstTierText, type Tier } from './BaseUnitPrice'
import { cx } from './cx'
import { Price } from './Price'
import styles from './ProductCard.module.css'
import { ProductImage } from './ProductImage'
import { Tag } from './Small'

export interface CardProduct {
  ProductCode: string
  ImageUrl?: string | null
  CustomerProductName: string
  CustomerPrice?: string | null
  MallPrice?: string | null
  Brand: string | null
  Unit?: string | null
  MinQuantity?: number | null
  Stock?: number | null
  LeadDays?: number | null
  Rating?: string | null
  IsAgreementPrice?: boolean
  BaseUnit?: string
  Contents?: number | null
  BaseUnitPrice?: string | null
  Tiers?: readonly Tier[]
}

export interface CardFamily {
  Name: string
  LowestPrice: string | null
  HasPriceRange: boolean
  /** The number of its products, and whether one of them is in stock. */
  Choices: number
  InStock: boolean
}

interface CardProps {
  product: CardProduct
  footer?: ReactNode
  /** On the picture. */
  corner?: ReactNode
  /** Between name and price: the article's colours and packs. */
  choice?: ReactNode
  /** The product family for which the product stands, with its lowest price. */
  family?: CardFamily | null
  eager?: boolean
}

/**
 * One product in a grid. `footer` holds its actions (stepper, 加入购物车) and adds a line about
 * stock and delivery.
 */
export function ProductCard({ product, footer, corner, choice, family, eager = false }: CardProps) {
  const { MinQuantity: min, Unit: unit, Stock: stock, LeadDays: days, Rating: rating } = product
  const isSoldOut = family ? !family.InStock : stock !== null && stock !== undefined && stock <= 0
  const name = family ? prependBrand(product.Brand, family.Name) : getProductTitle(product)
  // A price per unit and a minimum are those of one product.
  const own = family?.HasPriceRange ? null : product
  const meta = [
    own && baseUnitPriceText(own),
    own && firstTierText(own),
    own && min && min > 1 ? `${min}${unit ?? '件'}起订` : null,
    rating && `${rating} 分`,
  ]
    .filter(Boolean)
    .join(' · ')
  return (
    <article className={styles.card}>
      <ProductImage src={product.ImageUrl} alt="" eager={eager} />
      {product.IsAgreementPrice && (
        <span className={styles.corner}>
          <Tag tone="brand">协议价</Tag>
        </span>
      )}
      <Link className={styles.name} to={paths.product(product.ProductCode)} title={name}>
        {name}
      </Link>
      {corner}
      {choice}
      <div className={styles.row}>
        {family?.HasPriceRange ? (
          <Price value={family.LowestPrice} isFrom />
        ) : (
          <Price value={product.CustomerPrice} market={product.MallPrice} />
        )}
      </div>
      <div className={cx(styles.meta, isSoldOut && !footer && styles.out)}>
        {isSoldOut && !footer ? '暂时缺货' : meta || (unit && `单位 ${unit}`)}
      </div>
      {footer && (
        <>
          <div className={cx(styles.meta, isSoldOut && styles.out)}>
            {isSoldOut
              ? '暂时缺货'
              : family
                ? `${family.Choices} 种规格可选`
                : `库存 ${stock ?? '—'}${unit ?? ''}${days ? ` · ${days} 天送达` : ''}`}
          </div>
          <div className={styles.foot}>{footer}</div>
        </>
      )}
    </article>
  )
}
