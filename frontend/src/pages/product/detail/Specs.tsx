import { Link } from 'react-router-dom'
import type { ProductDetail, Variant } from '@/api/schema'
import { paths } from '@/lib/paths'
import { cx } from '@/ui/cx'
import styles from './detail.module.css'

const valueOf = (variant: Variant, name: string): string =>
  variant.Specs.find(({ Name }) => Name === name)?.Value ?? ''

/** Returns the variant with this value that shares the most other values with the current one. */
function leadsTo(
  variants: readonly Variant[],
  present: Variant,
  name: string,
  value: string,
): Variant | undefined {
  const alike = (variant: Variant): number =>
    variant.Specs.filter(({ Name, Value }) => Name !== name && valueOf(present, Name) === Value)
      .length
  return variants
    .filter((variant) => valueOf(variant, name) === value)
    .toSorted((one, other) => alike(other) - alike(one))[0]
}

/** 选择规格: one line per attribute in which the variants differ. Each value links to its variant. */
export function Specs({ product }: { product: ProductDetail }) {
  const { Variants: variants, ProductCode: code } = product
  const present = variants.find(({ ProductCode }) => ProductCode === code)
  if (!present) return null
  return (
    <div className={styles.specsBox}>
      {present.Specs.map(({ Name, Value }) => (
        <div key={Name}>
          <span>{Name}</span>
          <div role="group" aria-label={`选择${Name}`}>
            {[...new Set(variants.map((variant) => valueOf(variant, Name)))].map((value) => {
              const target = leadsTo(variants, present, Name, value)
              return (
                target && (
                  <Link
                    key={value}
                    replace
                    to={paths.product(target.ProductCode)}
                    className={cx(!target.InStock && styles.noStock)}
                    aria-current={value === Value ? 'true' : undefined}
                    title={target.InStock ? undefined : '暂时缺货'}
                    preventScrollReset
                  >
                    {value}
                  </Link>
                )
              )
            })}
          </div>
        </div>
      ))}
    </div>
  )
}
