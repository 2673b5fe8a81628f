import { Link } from 'react-router-dom'
import type { QuickProduct } from '@/api/schema'
import ShortageHelp from '@/domain/catalog/ShortageHelp'
import type { Shortage } from '@/domain/catalog/shortages'
import { yuan } from '@/lib/money'
import { paths } from '@/lib/paths'
import { getProductTitle } from '@/lib/productTitle'
import { Button } from '@/ui/Button'
import { cx } from '@/ui/cx'
import { Price } from '@/ui/Price'
import { ProductImage } from '@/ui/ProductImage'
import { Tag, type Tone } from '@/ui/Small'
import { Stepper } from '@/ui/Stepper'
import { Candidates } from './Candidates'
import { isShort, reasonOf, STATUS_TEXT, unitPrice, type Line, type Status } from './model'
import styles from './quick.module.css'

const TONES: Readonly<Record<Status, Tone>> = {
  ready: 'good',
  choose: 'warn',
  problem: 'bad',
  merged: 'plain',
  skipped: 'plain',
}

export interface RowActs {
  onQuantity: (id: number, quantity: number) => void
  onChoose: (id: number, product: QuickProduct, quantity?: number) => void
  onRemove: (id: number) => void
}

interface RowProps extends RowActs {
  line: Line
  /** The lines that were merged into this one. */
  merged: readonly number[]
  /** The line into which this one was merged. */
  into: number | null
  /** What helps if the line is short. */
  help: Shortage | undefined
}

function Product({ product }: { product: QuickProduct }) {
  const facts = [
    product.ProductCode,
    product.ModelCode,
    product.CustomerCode && `物料号 ${product.CustomerCode}`,
    product.Pack,
  ]
  return (
    <div className={styles.product}>
      <ProductImage src={product.ImageUrl} alt="" />
      <div>
        <Link to={paths.product(product.ProductCode)} target="_blank">
          {getProductTitle(product)}
        </Link>
        <small>{facts.filter(Boolean).join(' · ')}</small>
      </div>
    </div>
  )
}

/** The messages of a line, below its product. */
function Notes({ line, merged, into }: Pick<RowProps, 'line' | 'merged' | 'into'>) {
  const reason = line.Status === 'ready' ? '' : reasonOf(line)
  const numbers =
    merged.length > 5
      ? `${merged.slice(0, 5).join('、')} 等 ${merged.length} 行`
      : `${merged.join('、')} 行`
  const hints = [
    ...line.references,
    ...(merged.length ? [`与第 ${numbers}相同，数量已合并`] : []),
    ...line.notices,
    ...(line.Remark ? [`备注：${line.Remark}`] : []),
  ]
  return (
    <>
      {reason && (
        <p className={cx(styles.reason, line.Status === 'choose' && styles.ask)}>{reason}</p>
      )}
      {into !== null && <p className={styles.note}>数量已计入第 {into} 行</p>}
      {hints.map((note) => (
        <p key={note} className={styles.note}>
          {note}
        </p>
      ))}
    </>
  )
}

/**
 * A line: the entered text, the product, the quantity and the amount, with its candidates below.
 */
export function Row({ line, merged, into, help, onQuantity, onChoose, onRemove }: RowProps) {
  const { Product: product, Problem: problem } = line
  const wasBought = product !== null && into === null
  const mend = problem?.SuggestedQuantity ?? null
  return (
    <div
      className={cx(
        styles.row,
        (line.Status === 'merged' || line.Status === 'skipped') && styles.faint,
      )}
      role="group"
      aria-label={`第 ${line.No} 行`}
    >
      <span className={styles.no}>{line.No}</span>
      <div className={styles.written} title={line.Text}>
        {line.Text || '（空行）'}
      </div>
      <div className={styles.what}>
        {wasBought && <Product product={product} />}
        <Notes line={line} merged={merged} into={into} />
      </div>
      <div className={styles.price}>
        {wasBought && (
          <Price
            value={unitPrice(product, line.Quantity ?? product.MinQuantity)}
            market={product.MallPrice}
            size="s"
          />
        )}
      </div>
      <div className={styles.quantity}>
        {wasBought && product.IsOnSale && (
          <Stepper
            value={line.Quantity ?? product.MinQuantity}
            min={product.MinQuantity}
            step={product.StepQuantity}
            unit={product.Unit}
            size="s"
            label={`第 ${line.No} 行数量`}
            onChange={(quantity) => onQuantity(line.id, quantity)}
          />
        )}
        {mend !== null && (
          <Button size="s" look="tint" onClick={() => onQuantity(line.id, mend)}>
            改为 {mend} {product?.Unit}
          </Button>
        )}
        {line.Status === 'choose' && line.Quantity !== null && <span>数量 {line.Quantity}</span>}
      </div>
      <b className={styles.amount}>{line.Amount && yuan(line.Amount)}</b>
      <div className={styles.state}>
        <Tag tone={TONES[line.Status]}>{STATUS_TEXT[line.Status]}</Tag>
        {into === null && (
          <Button
            size="s"
            look="text"
            aria-label={`移除第 ${line.No} 行`}
            onClick={() => onRemove(line.id)}
          >
            移除
          </Button>
        )}
      </div>
      {line.Status === 'choose' && (
        <Candidates line={line} onChoose={(one) => onChoose(line.id, one)} />
      )}
      {help && isShort(line) && (
        <div className={styles.help}>
          <ShortageHelp help={help} onReplace={(one) => onChoose(line.id, one, one.Quantity)} />
        </div>
      )}
    </div>
  )
}
