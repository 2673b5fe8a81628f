import { Link } from 'react-router-dom'
import type { ListedProduct, Variant } from '@/api/schema'
import { paths } from '@/lib/paths'
import { cx } from '@/ui/cx'
import { getSpecs, type VariantChoice } from './variantChoice'
import styles from './Variants.module.css'

/** The maximum shown in place. The product page lists all. */
const FEW = 2
const MAX_VARIANTS = 6

/** The paint of common colours. Other values have no swatch. */
const PAINT: Readonly<Record<string, string>> = {
  黑: '#22262e',
  白: '#fff',
  红: '#d93a32',
  蓝: '#2f6fe4',
  绿: '#2f9e58',
  黄: '#f4c430',
  橙: '#f08a24',
  紫: '#8350c9',
  粉: '#f3a3bd',
  灰: '#9aa3af',
  棕: '#8a5a3b',
  金: '#cfa956',
  银: '#c5cbd3',
}
const getPaint = ({ Specs }: Variant): string | undefined => {
  const colour = Specs.find(({ Name }) => Name.includes('颜色'))?.Value ?? ''
  return /^.色?$/.test(colour) ? PAINT[colour.charAt(0)] : undefined
}

function Swatch({ variant }: { variant: Variant }) {
  const paint = getPaint(variant)
  return paint ? <i className={styles.swatch} style={{ background: paint }} aria-hidden /> : null
}

/**
 * 可选规格 of a family. The chosen one replaces the row, with its own price and stock. Of a family of
 * which none is chosen, no button is pressed.
 */
export function Variants({ row, choice }: { row: ListedProduct; choice: VariantChoice }) {
  const variants = row.Variants ?? []
  if (!variants.length) return null
  const present = choice.code ?? (row.Family ? null : row.ProductCode)
  // In a long row the variant of the list comes first, so that it is visible.
  const offered =
    variants.findIndex(({ ProductCode }) => ProductCode === row.ProductCode) < FEW
      ? variants
      : variants.toSorted(
          (one, other) =>
            Number(other.ProductCode === row.ProductCode) -
            Number(one.ProductCode === row.ProductCode),
        )
  return (
    <span
      className={styles.variants}
      role="group"
      aria-label="可选规格"
      aria-busy={choice.isPending}
    >
      <span>
        {offered.slice(0, MAX_VARIANTS).map((variant) => (
          <button
            key={variant.ProductCode}
            type="button"
            className={cx(!variant.InStock && styles.out)}
            aria-pressed={variant.ProductCode === present}
            title={variant.InStock ? undefined : '暂时缺货'}
            onClick={() => choice.choose(variant.ProductCode)}
          >
            <Swatch variant={variant} />
            {getSpecs(variant)}
          </button>
        ))}
      </span>
      {variants.length > FEW && (
        <Link to={paths.product(present ?? row.ProductCode)} title="查看全部规格">
          {variants.length} 种
        </Link>
      )}
    </span>
  )
}
