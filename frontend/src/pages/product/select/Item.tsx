import { useId, useState } from 'react'
import { Link } from 'react-router-dom'
import type { Candidate, SelectItem } from '@/api/schema'
import { yuan } from '@/lib/money'
import { paths } from '@/lib/paths'
import { getProductTitle } from '@/lib/productTitle'
import { BaseUnitPrice } from '@/ui/BaseUnitPrice'
import { Button } from '@/ui/Button'
import { cx } from '@/ui/cx'
import { Icon } from '@/ui/Icon'
import { Price } from '@/ui/Price'
import { ProductImage } from '@/ui/ProductImage'
import { Tag, type Tone } from '@/ui/Small'
import { Stepper } from '@/ui/Stepper'
import { amountOf, getRule, getUnitPrice, type Line } from './lines'
import styles from './select.module.css'

interface Props {
  item: SelectItem
  lines: readonly Line[]
  onReplace: (product: Candidate) => void
  onQuantity: (line: Line, quantity: number) => void
  onRemove: (line: Line) => void
  onWord?: ((word: string) => void) | undefined
}

const TONES: Readonly<Record<string, Tone>> = {
  agreement: 'brand',
  own_history: 'good',
  house_history: 'good',
  exact: 'good',
  part: 'warn',
  alike: 'warn',
}
/** Reasons that are hidden by default, because they are normal on a good line. */
const QUIET = new Set(['words', 'stock'])

const Reasons = ({ product, all = false }: { product: Candidate; all?: boolean }) => (
  <span className={styles.reasons}>
    {product.Reasons.filter(({ Code }) => all || !QUIET.has(Code)).map(({ Code, Text }) => (
      <Tag key={Code} tone={TONES[Code] ?? 'plain'}>
        {Text}
      </Tag>
    ))}
  </span>
)

function BasketLine({
  line,
  onQuantity,
  onRemove,
}: {
  line: Line
  onQuantity: (quantity: number) => void
  onRemove: () => void
}) {
  const { product, quantity } = line
  const name = getProductTitle(product)
  return (
    <div className={styles.line}>
      <Link
        to={paths.product(product.ProductCode)}
        className={styles.picture}
        tabIndex={-1}
        aria-hidden
      >
        <ProductImage src={product.ImageUrl} alt="" />
      </Link>
      <div className={styles.what}>
        <Link to={paths.product(product.ProductCode)} className={styles.name}>
          {name}
        </Link>
        <span className={styles.why}>
          <em>{product.Score} 分</em>
          <Reasons product={product} />
        </span>
      </div>
      <div className={styles.price}>
        <Price value={getUnitPrice(line)} market={product.MallPrice} size="s" />
        <small>
          /{product.Unit}
          {product.Note && quantity === product.Quantity ? ` · ${product.Note}` : ''}
        </small>
        <BaseUnitPrice product={product} />
      </div>
      <Stepper
        value={quantity}
        onChange={onQuantity}
        {...getRule(product)}
        unit={product.Unit}
        limit="库存"
        size="s"
        label={`${name}数量`}
      />
      <b className={styles.amount}>{yuan(amountOf(line))}</b>
      <button type="button" className={styles.drop} aria-label={`移除${name}`} onClick={onRemove}>
        <Icon name="trash" size={16} />
      </button>
    </div>
  )
}

function Choice({
  product,
  isOn,
  onChoose,
}: {
  product: Candidate
  isOn: boolean
  onChoose: () => void
}) {
  const isSoldOut = product.Quantity === 0
  return (
    <li className={cx(styles.choice, isOn && styles.on)}>
      <ProductImage src={product.ImageUrl} alt="" />
      <div>
        <Link to={paths.product(product.ProductCode)} className={styles.name}>
          {getProductTitle(product)}
        </Link>
        <Price value={product.CustomerPrice} market={product.MallPrice} size="s" />
        <BaseUnitPrice product={product} />
        <small>
          {isSoldOut
            ? '暂时缺货'
            : `${product.Note || `${product.Quantity} ${product.Unit}`} · 小计 ${yuan(product.Amount)}`}
        </small>
        <Reasons product={product} all />
        <span className={styles.pick}>
          <em>{product.Score} 分</em>
          <Button
            look={isOn ? 'tint' : 'secondary'}
            size="s"
            disabled={isSoldOut || isOn}
            onClick={onChoose}
            aria-label={`${isOn ? '已选' : '选用'}${getProductTitle(product)}`}
          >
            {isOn ? '已选' : isSoldOut ? '缺货' : '选用'}
          </Button>
        </span>
      </div>
    </li>
  )
}

const needOf = ({ Quantity, Unit, MaxPrice, Status }: SelectItem): string =>
  Status === 'problem'
    ? ''
    : `需要 ${Quantity.toLocaleString('en-US')}${Unit ? ` ${Unit}` : ''}${MaxPrice ? ` · 限价 ${yuan(MaxPrice)}` : ''}`

/** One wish or one kind: the chosen products and the alternatives. */
export function Item({ item, lines, onReplace, onQuantity, onRemove, onWord }: Props) {
  const [open, setOpen] = useState(lines.length === 0 && item.Candidates.length > 0)
  const others = useId()
  const chosen = new Set(lines.map(({ product }) => product.ProductCode))
  return (
    <li className={styles.item} aria-label={item.Text}>
      <header>
        <b title={item.Text}>{item.Text}</b>
        <small>{needOf(item)}</small>
        {item.Message && (
          <span className={cx(styles.message, item.Status === 'partial' && styles.partial)}>
            {item.Message}
          </span>
        )}
        {item.Candidates.length > 0 && (
          <Button
            look="text"
            size="s"
            aria-expanded={open}
            aria-controls={others}
            onClick={() => setOpen(!open)}
          >
            {open
              ? '收起候选'
              : lines.length
                ? `换一个（${item.Candidates.length}）`
                : `看候选（${item.Candidates.length}）`}
          </Button>
        )}
      </header>
      {item.Near.length > 0 && onWord && (
        <p className={styles.near}>
          试试：
          {item.Near.map((word) => (
            <Button key={word} look="tint" size="s" onClick={() => onWord(word)}>
              {word}
            </Button>
          ))}
        </p>
      )}
      {onWord && item.Status === 'none' && item.Candidates.length === 0 && (
        <p className={styles.near}>
          <Link to={paths.inquiry({ keyword: item.Words, quantity: item.Quantity })}>
            发起意向商品询价
          </Link>
        </p>
      )}
      {lines.map((line) => (
        <BasketLine
          key={line.product.ProductCode}
          line={line}
          onQuantity={(quantity) => onQuantity(line, quantity)}
          onRemove={() => onRemove(line)}
        />
      ))}
      <div id={others}>
        {open && (
          <ul className={styles.choices} aria-label={`${item.Text}的候选商品`}>
            {item.Candidates.map((product) => (
              <Choice
                key={product.ProductCode}
                product={product}
                isOn={chosen.has(product.ProductCode)}
                onChoose={() => {
                  onReplace(product)
                  setOpen(false)
                }}
              />
            ))}
          </ul>
        )}
      </div>
    </li>
  )
}
