import { lazy, Suspense, useState } from 'react'
import type { ListedProduct, ProductRow } from '@/api/schema'
import { BuyBox } from '@/domain/cart/BuyBox'
import { Variants } from '@/domain/catalog/Variants'
import { ProductCard } from '@/ui/ProductCard'
import styles from './list.module.css'

// Visible on hover only, so it loads after the cards.
const CompareButton = lazy(async () => ({
  default: (await import(/* webpackChunkName: "compare" */ '@/domain/catalog/CompareButton'))
    .CompareButton,
}))

/**
 * A product, or a family with its colours and packs. Until one is chosen the card names the family;
 * the pressed one goes into the cart.
 */
function Card({ row, eager, spaced }: { row: ListedProduct; eager: boolean; spaced: boolean }) {
  const [picked, setPicked] = useState<ProductRow>()
  const chosen = picked ?? row
  const variants = row.Variants ?? []
  return (
    <ProductCard
      product={chosen}
      eager={eager}
      family={picked ? null : row.Family}
      corner={
        <Suspense>
          <CompareButton product={chosen} className={styles.compare} />
        </Suspense>
      }
      choice={
        spaced ? (
          <span className={styles.choice}>
            {variants.length > 0 && (
              <Variants variants={variants} chosen={chosen.ProductCode} onChoose={setPicked} />
            )}
          </span>
        ) : null
      }
      footer={<BuyBox key={chosen.ProductCode} product={chosen} />}
    />
  )
}

/** The grid. If one product of the page has variants, all cards reserve the line for them. */
export default function Cards({ rows }: { rows: readonly ListedProduct[] }) {
  const spaced = rows.some(({ Variants: variants }) => (variants ?? []).length > 0)
  return (
    <div className={styles.grid}>
      {rows.map((row, index) => (
        <Card key={row.ProductCode} row={row} eager={index < 5} spaced={spaced} />
      ))}
    </div>
  )
}
