import { getProductTitle } from '@/lib/productTitle'
import { cx } from '@/ui/cx'
import { Icon } from '@/ui/Icon'
import styles from './compare.module.css'
import { compare, useCompared, type Picked } from './compare'

/** Add a product to the comparison or remove it. */
export function CompareButton({
  product,
  className,
}: {
  product: Picked
  className?: string | undefined
}) {
  const isOn = useCompared().some(({ ProductCode }) => ProductCode === product.ProductCode)
  return (
    <button
      type="button"
      className={cx(styles.toggle, isOn && styles.on, className)}
      aria-pressed={isOn}
      aria-label={`对比${getProductTitle(product)}`}
      onClick={() => compare.toggle(product)}
    >
      <Icon name={isOn ? 'check' : 'swap'} size={14} />
      {isOn ? '已加入对比' : '对比'}
    </button>
  )
}
