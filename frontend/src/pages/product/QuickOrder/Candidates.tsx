import type { QuickProduct } from '@/api/schema'
import { getSpecs } from '@/domain/catalog/variantChoice'
import { paths } from '@/lib/paths'
import { getProductTitle } from '@/lib/productTitle'
import { Button } from '@/ui/Button'
import { Price } from '@/ui/Price'
import { ProductImage } from '@/ui/ProductImage'
import type { Line } from './model'
import styles from './quick.module.css'

const factsOf = ({ ProductCode, ModelCode, Pack, MinQuantity, Unit }: QuickProduct): string =>
  [ProductCode, ModelCode, Pack, MinQuantity > 1 && `${MinQuantity} ${Unit}起订`]
    .filter(Boolean)
    .join(' · ')

/**
 * The candidates for a line, with the values that tell the products of a family apart. The user
 * chooses; nothing is added automatically.
 */
export const Candidates = ({
  line,
  onChoose,
}: {
  line: Line
  onChoose: (product: QuickProduct) => void
}) => (
  <ul className={styles.candidates} aria-label={`第 ${line.No} 行的候选商品`}>
    {line.Candidates.map((product) => (
      <li key={product.ProductCode}>
        <ProductImage src={product.ImageUrl} alt="" />
        <div>
          <a href={paths.product(product.ProductCode)} target="_blank" rel="noreferrer">
            {getProductTitle(product)}
          </a>
          {product.Specs.length > 0 && <b className={styles.specs}>{getSpecs(product)}</b>}
          <small>{factsOf(product)}</small>
        </div>
        <Price value={product.CustomerPrice} size="s" />
        <small className={styles.stock}>
          {product.Stock > 0
            ? `库存 ${product.Stock.toLocaleString('en-US')} ${product.Unit}`
            : '缺货'}
        </small>
        <Button
          size="s"
          look="tint"
          disabled={!product.IsOnSale}
          aria-label={`选择${getProductTitle(product)}${product.Specs.length ? ` ${getSpecs(product)}` : ''}`}
          onClick={() => onChoose(product)}
        >
          {product.IsOnSale ? '选这个' : '已下架'}
        </Button>
      </li>
    ))}
  </ul>
)
