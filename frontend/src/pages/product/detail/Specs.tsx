import { Link } from 'react-router-dom'
import type { ProductDetail, Variant } from '@/api/schema'
import { paths } from '@/lib/paths'
import { cx } from '@/ui/cx'
import styles from './detail.module.css'

const valueOf = (variant: Variant, name: string): string =>
  variant.Specs.find(({ Name }) => Name === name)?.Value ?? ''

const without = ({ Specs }: Variant, name: string): Variant['Specs'] =>
  Specs.filter(({ Name }) => Name !== name)

/** Whether the variants have equal values on all axes except this one. */
const isAlike = (one: Variant, other: Variant, name: string): boolean =>
  without(one, name).every(({ Name, Value }) => valueOf(other, Name) === Value)

/** Why a value is shown dashed, or undefined. */
const noteOf = (target: Variant, present: Variant, name: string): string | undefined => {
  if (!isAlike(present, target, name))
    return `没有这种组合，将换成 ${target.Specs.map(({ Value }) => Value).join(' ')}`
  return target.InStock ? undefined : '暂时缺货'
}

/** Returns the variant with this value that shares the most other values with the current one. */
function leadsTo(
  variants: readonly Variant[],
  present: Variant,
  name: string,
  value: string,
): Variant | undefined {
  const alike = (variant: Variant): number =>
    without(variant, name).filter(({ Name, Value }) => valueOf(present, Name) === Value).length
  return variants
    .filter((variant) => valueOf(variant, name) === value)
    .toSorted((one, other) => alike(other) - alike(one))[0]
}

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
                    className={cx(noteOf(target, present, Name) && styles.noStock)}
                    aria-current={value === Value ? 'true' : undefined}
                    title={noteOf(target, present, Name)}
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
