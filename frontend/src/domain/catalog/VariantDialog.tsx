import type { ListedProduct } from '@/api/schema'
import { BuyBox } from '@/domain/cart/BuyBox'
import { getProductTitle } from '@/lib/productTitle'
import { baseUnitPriceText, firstTierText } from '@/ui/BaseUnitPrice'
import { cx } from '@/ui/cx'
import { Dialog } from '@/ui/Dialog'
import { Price } from '@/ui/Price'
import { ProductImage } from '@/ui/ProductImage'
import { getAxes, type VariantChoice } from './variantChoice'
import styles from './VariantDialog.module.css'

/** 选规格: the choice of a product of a family, with the price that goes into the cart. */
export default function VariantDialog({
  row,
  choice,
  onClose,
}: {
  row: ListedProduct
  choice: VariantChoice
  onClose: () => void
}) {
  const variants = row.Variants ?? []
  const product = choice.picked ?? row
  const code = choice.code ?? row.ProductCode
  const present = variants.find(({ ProductCode }) => ProductCode === code)
  const facts = [
    baseUnitPriceText(product),
    firstTierText(product),
    product.Stock > 0
      ? `库存 ${product.Stock.toLocaleString('en-US')} ${product.Unit}`
      : '暂时缺货',
    product.MinQuantity > 1 ? `${product.MinQuantity} ${product.Unit}起订` : null,
  ]
  return (
    <Dialog title="选择规格" open onClose={onClose} width={520}>
      <div className={styles.product} aria-live="polite" aria-busy={choice.isPending}>
        <ProductImage src={product.ImageUrl} alt="" />
        <div>
          <b>{getProductTitle(product)}</b>
          <Price value={product.CustomerPrice} market={product.MallPrice} />
          <small>{facts.filter(Boolean).join(' · ')}</small>
        </div>
      </div>
      {present &&
        getAxes(variants, present).map(({ name, values }) => (
          <div key={name} className={styles.axis}>
            <span>{name}</span>
            <div role="group" aria-label={`选择${name}`}>
              {values.map(({ value, target, note, isPresent }) => (
                <button
                  key={value}
                  type="button"
                  className={cx(note && styles.dashed)}
                  aria-pressed={isPresent}
                  title={note}
                  onClick={() => choice.choose(target.ProductCode)}
                >
                  {value}
                </button>
              ))}
            </div>
          </div>
        ))}
      <BuyBox
        key={product.ProductCode}
        product={product}
        size="m"
        isStale={choice.isPending}
        onAdded={onClose}
      />
    </Dialog>
  )
}
