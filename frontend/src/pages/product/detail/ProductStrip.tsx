import { ProductCard, type CardProduct } from '@/ui/ProductCard'
import { differencesText } from '@/domain/catalog/shortages'
import styles from './detail.module.css'

/** Up to six other products in a row. Renders nothing if there are none. */
export function ProductStrip({
  title,
  note,
  rows,
  id,
}: {
  title: string
  note?: string | undefined
  rows: readonly (CardProduct & {
    /** What differs from the product of the page. */
    Differences?: readonly { Name: string; Value: string; Own: string }[]
  })[]
  id?: string
}) {
  if (!rows.length) return null
  return (
    <section id={id} className={styles.section}>
      <h2>
        {title}
        {note && <small>{note}</small>}
      </h2>
      <div className={styles.row}>
        {rows.slice(0, 6).map((row) => (
          <ProductCard
            key={row.ProductCode}
            product={row}
            corner={
              row.Differences &&
              row.Differences.length > 0 && (
                <small className={styles.differs}>{differencesText(row.Differences)}</small>
              )
            }
          />
        ))}
      </div>
    </section>
  )
}
