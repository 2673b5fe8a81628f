import { Link } from 'react-router-dom'
import type { ProductDetail } from '@/api/schema'
import { getAxes } from '@/domain/catalog/variantChoice'
import { paths } from '@/lib/paths'
import { cx } from '@/ui/cx'
import styles from './detail.module.css'

/**
 * 选择规格: one line per axis of the family. Each value links to its variant; a combination that does not
 * exist is dashed and leads to the nearest one.
 */
export function Specs({ product }: { product: ProductDetail }) {
  const { Variants: variants, ProductCode: code } = product
  const present = variants.find(({ ProductCode }) => ProductCode === code)
  if (!present) return null
  return (
    <div className={styles.specsBox}>
      {getAxes(variants, present).map(({ name, values }) => (
        <div key={name}>
          <span>{name}</span>
          <div role="group" aria-label={`选择${name}`}>
            {values.map(({ value, target, note, isPresent }) => (
              <Link
                key={value}
                replace
                to={paths.product(target.ProductCode)}
                className={cx(note && styles.noStock)}
                aria-current={isPresent ? 'true' : undefined}
                title={note}
                preventScrollReset
              >
                {value}
              </Link>
            ))}
          </div>
        </div>
      ))}
    </div>
  )
}
