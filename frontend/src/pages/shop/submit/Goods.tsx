import { Link } from 'react-router-dom'
import type { CheckoutForm, Preview } from '@/domain/cart/checkout'
import { useQuantity, useRemove, useSelect } from '@/domain/cart/lines'
import { yuan } from '@/lib/money'
import { paths } from '@/lib/paths'
import { getProductTitle } from '@/lib/productTitle'
import { Button } from '@/ui/Button'
import { cx } from '@/ui/cx'
import { Price } from '@/ui/Price'
import { ProductImage } from '@/ui/ProductImage'
import { Stepper } from '@/ui/Stepper'
import { LineAllocation } from './Accounting'
import type { Set } from './form'
import styles from './submit.module.css'

type Line = Preview['Lines'][number]
type Problem = Preview['Problems'][number]

interface MendProps {
  line: Line
  problem: Problem
  isBusy: boolean
  onQuantity: ((quantity: number) => void) | null
  onLeave: (() => void) | null
}

/** The problem of a line, with its fix. The quantities of a quotation are fixed. */
function Mend({ line, problem, isBusy, onQuantity, onLeave }: MendProps) {
  const quantity = problem.SuggestedQuantity
  return (
    <div className={styles.mend} role="alert">
      <span>{problem.Message}</span>
      {onQuantity && quantity != null && (
        <Button look="tint" size="s" loading={isBusy} onClick={() => onQuantity(quantity)}>
          改为 {quantity} {line.Unit}
        </Button>
      )}
      {onLeave && (
        <Button look="text" size="s" disabled={isBusy} onClick={onLeave}>
          本次不买
        </Button>
      )}
    </div>
  )
}

function Row({
  line,
  others,
  problems,
  uid,
  form,
  set,
}: {
  line: Line
  others: Line[]
  problems: Problem[]
  uid: string
  form: CheckoutForm
  set: Set
}) {
  const quantity = useQuantity(uid)
  const select = useSelect(uid)
  const isQuoted = Boolean(form.QuotationNo)
  const change = (Quantity: number): void => quantity.mutate({ Id: line.CartItemId, Quantity })
  const shown = quantity.isPending ? quantity.variables.Quantity : line.Quantity
  // A line of a quotation is not in the cart, whose lines have other ids.
  const leave = (): void =>
    isQuoted
      ? set({ Lines: others.map(({ CartItemId }) => ({ CartItemId })) })
      : select.mutate({ Ids: [line.CartItemId], Selected: false })
  return (
    <li className={styles.row} id={`line-${line.CartItemId}`} tabIndex={-1}>
      <div className={styles.goods}>
        <span className={styles.picture}>
          <ProductImage src={line.ImageUrl} alt="" />
        </span>
        <div>
          <Link to={paths.product(line.ProductCode)}>{getProductTitle(line)}</Link>
          <small>
            编码 {line.ProductCode}
            {line.CustomerCode && ` · 物料编码 ${line.CustomerCode}`}
          </small>
          <LineAllocation line={line} form={form} set={set} />
        </div>
        <span className={styles.unit}>
          <Price value={line.CustomerPrice} size="s" />
          <small> / {line.Unit}</small>
        </span>
        {isQuoted ? (
          <span>
            {line.Quantity} {line.Unit}
          </span>
        ) : (
          <Stepper
            value={shown}
            min={line.MinQuantity}
            step={line.StepQuantity}
            unit={line.Unit}
            size="s"
            label={`${getProductTitle(line)}的数量`}
            onChange={change}
          />
        )}
        <b aria-busy={quantity.isPending || undefined}>{line.Amount && yuan(line.Amount)}</b>
      </div>
      {problems.map((problem) => (
        <Mend
          key={problem.Message}
          line={line}
          problem={problem}
          isBusy={quantity.isPending || select.isPending}
          onQuantity={isQuoted ? null : change}
          onLeave={isQuoted && !others.length ? null : leave}
        />
      ))}
    </li>
  )
}

/**
 * Selected lines that cannot be bought now: the reason and the fix. They do not block the other
 * lines.
 */
function LeftOut({
  line,
  uid,
  isQuoted,
}: {
  line: Preview['LeftOut'][number]
  uid: string
  isQuoted: boolean
}) {
  const quantity = useQuantity(uid)
  const remove = useRemove(uid)
  const mend = line.Problem.SuggestedQuantity
  return (
    <li className={styles.left} id={`line-${line.CartItemId}`} tabIndex={-1}>
      <span className={styles.picture}>
        <ProductImage src={line.ImageUrl} alt="" />
      </span>
      <div>
        <Link to={paths.product(line.ProductCode)}>{getProductTitle(line)}</Link>
        <small>
          编码 {line.ProductCode} · {line.Quantity} {line.Unit}
        </small>
        <small className={styles.why}>
          {line.Problem.Message}，{line.Problem.Suggestion}
        </small>
      </div>
      {!isQuoted && mend != null && (
        <Button
          look="tint"
          size="s"
          loading={quantity.isPending}
          onClick={() => quantity.mutate({ Id: line.CartItemId, Quantity: mend })}
        >
          改为 {mend} {line.Unit}
        </Button>
      )}
      {!isQuoted && (
        <Button
          look="text"
          size="s"
          loading={remove.isPending}
          onClick={() => remove.mutate([line.CartItemId])}
        >
          移除
        </Button>
      )}
    </li>
  )
}

/**
 * The lines of the order. Quantities and problems of the cart can be fixed here; a line of a
 * quotation can only be left out. Removed lines stay in the cart.
 */
export function Goods({
  uid,
  shown,
  form,
  set,
}: {
  uid: string
  shown: Preview
  form: CheckoutForm
  set: Set
}) {
  return (
    <section className={styles.card} aria-label="商品清单" id="goods" tabIndex={-1}>
      <header className={styles.head}>
        <h2>
          商品清单<small>共 {shown.Lines.length} 种</small>
        </h2>
        <Link
          to={form.QuotationNo ? paths.quotation(form.QuotationNo) : paths.cart()}
          className={cx('touch', styles.link)}
        >
          {form.QuotationNo ? '返回报价单' : '返回购物车修改'}
        </Link>
      </header>
      {!shown.Lines.length && (
        <p className={styles.quiet}>
          所选商品暂时都不能购买，请按下面的提示处理
          {form.QuotationNo ? '' : '，或返回购物车另选商品'}
        </p>
      )}
      <ul>
        {shown.Lines.map((line) => (
          <Row
            key={line.CartItemId}
            line={line}
            others={shown.Lines.filter(({ CartItemId }) => CartItemId !== line.CartItemId)}
            uid={uid}
            form={form}
            set={set}
            problems={shown.Problems.filter(({ CartItemId }) => CartItemId === line.CartItemId)}
          />
        ))}
      </ul>
      {shown.LeftOut.length > 0 && (
        <section aria-label="暂不能购买的商品" className={styles.out}>
          <h3>暂不能购买，未计入本单（{shown.LeftOut.length}）</h3>
          <ul>
            {shown.LeftOut.map((line) => (
              <LeftOut
                key={line.CartItemId}
                line={line}
                uid={uid}
                isQuoted={Boolean(form.QuotationNo)}
              />
            ))}
          </ul>
        </section>
      )}
    </section>
  )
}
