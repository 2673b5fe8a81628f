import { lazy, Suspense } from 'react'
import { Link } from 'react-router-dom'
import type { Shortage } from '@/domain/catalog/shortages'
import { useQuantity, useReplace, useSelect, type CartLine } from '@/domain/cart/lines'
import { subtractInFen, sum, yuan } from '@/lib/money'
import { paths } from '@/lib/paths'
import { getProductTitle } from '@/lib/productTitle'
import { BaseUnitPrice } from '@/ui/BaseUnitPrice'
import { Button } from '@/ui/Button'
import { cx } from '@/ui/cx'
import { Checkbox } from '@/ui/Choice'
import { Price } from '@/ui/Price'
import { ProductImage } from '@/ui/ProductImage'
import { Stepper } from '@/ui/Stepper'
import styles from './cart.module.css'

const ShortageHelp = lazy(
  () => import(/* webpackChunkName: "shortage-help" */ '@/domain/catalog/ShortageHelp'),
)

interface Props {
  line: CartLine
  uid: string
  onRemove: () => void
}

function What({ line }: { line: CartLine }) {
  const rule = [
    line.MinQuantity > 1 && `${line.MinQuantity} ${line.Unit}起订`,
    line.StepQuantity > 1 && `按 ${line.StepQuantity} ${line.Unit}递增`,
  ]
  const facts = [line.CustomerCode && `物料编码 ${line.CustomerCode}`, ...rule].filter(Boolean)
  return (
    <div className={styles.what}>
      <Link
        to={paths.product(line.ProductCode)}
        className={styles.picture}
        tabIndex={-1}
        aria-hidden
      >
        <ProductImage src={line.ImageUrl} alt="" />
      </Link>
      <div>
        <Link to={paths.product(line.ProductCode)} className={styles.name}>
          {getProductTitle(line)}
        </Link>
        <small>编码 {line.ProductCode}</small>
        <small>{facts.join(' · ')}</small>
      </div>
    </div>
  )
}

/**
 * The difference from the price when the line was added. Renders nothing if the price is the same.
 */
function PriceChange({ line: { AddedPrice: before, SinglePrice: now } }: { line: CartLine }) {
  if (!before || !now || before === now) return null
  const isDearer = subtractInFen(now, before) > 0
  return (
    <small className={cx(styles.moved, isDearer && styles.dearer)}>
      比加入时{isDearer ? '涨' : '降'}{' '}
      {yuan(isDearer ? sum([now, `-${before}`]) : sum([before, `-${now}`]))}
    </small>
  )
}

/** What the next tier (阶梯价) saves. A click buys that quantity. */
function NextTier({ line, onChoose }: { line: CartLine; onChoose: (quantity: number) => void }) {
  const { NextTier: next, Unit: unit } = line
  if (!next) return null
  return (
    <button type="button" className={styles.tier} onClick={() => onChoose(next.Quantity)}>
      再买 {next.More} {unit}，每{unit} {yuan(next.Price)}，省 {yuan(next.Saving)}
    </button>
  )
}

/** A line that can be bought without changes. */
export function Line({ line, uid, onRemove }: Props) {
  const quantity = useQuantity(uid)
  const select = useSelect(uid)
  const change = (Quantity: number): void => quantity.mutate({ Id: line.Id, Quantity })
  return (
    <div className={styles.line}>
      <Checkbox
        checked={line.Selected}
        label={`选择${getProductTitle(line)}`}
        onChange={(Selected) => select.mutate({ Ids: [line.Id], Selected })}
      />
      <What line={line} />
      <div>
        <Price value={line.CustomerPrice} market={line.MallPrice} size="s" />
        <BaseUnitPrice product={line} />
        <PriceChange line={line} />
      </div>
      <div>
        <Stepper
          value={line.Quantity}
          min={line.MinQuantity}
          step={line.StepQuantity}
          unit={line.Unit}
          size="s"
          label={`${getProductTitle(line)}的数量`}
          onChange={change}
        />
        <small className={cx(styles.stock, line.Stock < line.Quantity * 2 && styles.low)}>
          库存 {line.Stock.toLocaleString('en-US')} {line.Unit}
        </small>
        <NextTier line={line} onChoose={change} />
      </div>
      <b className={styles.amount}>{line.Amount && yuan(line.Amount)}</b>
      <Button look="text" size="s" onClick={onRemove}>
        移除
      </Button>
    </div>
  )
}

/**
 * A line that cannot be bought: the reason, a fix if there is one, and what helps if it is short.
 */
export function InvalidLine({
  line,
  uid,
  help,
  onRemove,
}: Props & { help?: Shortage | undefined }) {
  const quantity = useQuantity(uid)
  const replace = useReplace(uid)
  const mend = line.Problem?.SuggestedQuantity
  return (
    <div className={styles.bad}>
      <What line={line} />
      <p role="status">
        <b>{line.Problem?.Message}</b>
        {line.Problem?.Suggestion}
      </p>
      <span className={styles.acts}>
        {mend != null && (
          <Button
            look="tint"
            size="s"
            loading={quantity.isPending}
            onClick={() => quantity.mutate({ Id: line.Id, Quantity: mend })}
          >
            改为 {mend} {line.Unit}
          </Button>
        )}
        <Button look="text" size="s" onClick={onRemove}>
          移除
        </Button>
      </span>
      {help && (
        <Suspense>
          <ShortageHelp
            help={help}
            isBusy={replace.isPending}
            onReplace={(one) => replace.mutate({ Id: line.Id, substitute: one })}
          />
        </Suspense>
      )}
    </div>
  )
}
