import { lazy, Suspense, useState } from 'react'
import type { ListedProduct } from '@/api/schema'
import { useMayRequest } from '@/domain/account/purchasing'
import { BuyBox } from '@/domain/cart/BuyBox'
import { Variants } from '@/domain/catalog/Variants'
import { useVariantChoice, type VariantChoice } from '@/domain/catalog/variantChoice'
import { Button } from '@/ui/Button'
import { onIntent } from '@/ui/intent'
import { ProductCard } from '@/ui/ProductCard'
import styles from './list.module.css'

// Visible on hover only, so it loads after the cards.
const CompareButton = lazy(async () => ({
  default: (await import(/* webpackChunkName: "compare" */ '@/domain/catalog/CompareButton'))
    .CompareButton,
}))

const dialog = onIntent(
  () => import(/* webpackChunkName: "list-parts" */ '@/domain/catalog/VariantDialog'),
)

/**
 * A product, or a family with its colours and packs. Until one is chosen the card names the family
 * and its lowest price, and its button opens the choice. A chosen product has its own price and goes
 * into the cart.
 */
function Card({
  row,
  choice,
  eager,
  isSpaced,
}: {
  row: ListedProduct
  choice: VariantChoice
  eager: boolean
  isSpaced: boolean
}) {
  const [isOpen, setOpen] = useState(false)
  const may = useMayRequest()
  const variants = row.Variants ?? []
  const { picked, isPending } = choice
  const chosen = picked ?? row
  const family =
    row.Family && !picked
      ? {
          ...row.Family,
          Choices: variants.length,
          InStock: variants.some(({ InStock }) => InStock),
        }
      : null
  return (
    <ProductCard
      product={chosen}
      eager={eager}
      family={family}
      corner={
        <Suspense>
          <CompareButton product={chosen} className={styles.compare} />
        </Suspense>
      }
      choice={
        isSpaced ? (
          <span className={styles.choice}>
            <Variants row={row} choice={choice} />
          </span>
        ) : null
      }
      footer={
        <>
          {!family && <BuyBox key={chosen.ProductCode} product={chosen} isStale={isPending} />}
          {family && may && (
            <span className={styles.choose}>
              <Button
                look="tint"
                size="s"
                loading={isPending}
                onMouseEnter={dialog.ready}
                onFocus={dialog.ready}
                onClick={() => setOpen(true)}
              >
                选规格
              </Button>
            </span>
          )}
          {isOpen && <dialog.Part row={row} choice={choice} onClose={() => setOpen(false)} />}
        </>
      }
    />
  )
}

/** The grid. If one product of the page has variants, all cards reserve the line for them. */
export default function Cards({ rows }: { rows: readonly ListedProduct[] }) {
  const choiceOf = useVariantChoice()
  const isSpaced = rows.some(({ Variants: variants }) => (variants ?? []).length > 0)
  return (
    <div className={styles.grid}>
      {rows.map((row, index) => (
        <Card
          key={row.ProductCode}
          row={row}
          choice={choiceOf(row)}
          eager={index < 5}
          isSpaced={isSpaced}
        />
      ))}
    </div>
  )
}
