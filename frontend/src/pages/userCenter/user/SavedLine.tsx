import { Checkbox } from 'antd'
import { Link } from 'react-router-dom'
import { CartButton } from '@/domain/cart/CartButton'
import type { SavedProduct } from '@/domain/catalog/savedProducts'
import { getSpecs } from '@/domain/catalog/variantChoice'
import { toFen, yuan } from '@/lib/money'
import { paths } from '@/lib/paths'
import { getProductTitle } from '@/lib/productTitle'
import { formatTime } from '@/lib/time'
import { Button } from '@/ui/Button'
import { cx } from '@/ui/cx'
import { Icon } from '@/ui/Icon'
import { Price } from '@/ui/Price'
import { ProductImage } from '@/ui/ProductImage'
import { Tag } from '@/ui/Small'
import { Stepper } from '@/ui/Stepper'
import styles from './saved.module.css'

/** The price change since the product was saved. */
function Change({ row, since }: { row: SavedProduct; since: string }) {
  const change = toFen(row.PriceChange ?? '0')
  if (!row.AddedPrice || !change) return null
  return (
    <span
      className={cx(styles.change, change < 0 && styles.cheaper)}
      title={`${since} ${yuan(row.AddedPrice)}`}
    >
      <Icon name={change < 0 ? 'down' : 'up'} size={14} />比{since}
      {change < 0 ? '降' : '涨'} {yuan((row.PriceChange ?? '0').replace('-', ''))}
    </span>
  )
}

interface SavedLineProps {
  row: SavedProduct
  since: string
  isPicked: boolean
  quantity: number
  isBusy: boolean
  onPick: (isOn: boolean) => void
  onQuantity: (quantity: number) => void
  onAdd: () => void
  onDrop: () => void
}

/**
 * A saved product: its price now and at the time of saving, and the actions. Grey with the reason
 * if it cannot be bought.
 */
export function SavedLine({
  row,
  since,
  isPicked,
  quantity,
  isBusy,
  onPick,
  onQuantity,
  onAdd,
  onDrop,
}: SavedLineProps) {
  const name = getProductTitle(row)
  const isGone = row.Problem !== null && row.Problem.Code !== 'stock_short'
  return (
    <li className={cx(styles.line, isGone && styles.gone)}>
      <Checkbox
        checked={isPicked}
        aria-label={`选择${name}`}
        onChange={({ target }) => onPick(target.checked)}
      />
      <span className={styles.picture}>
        <ProductImage src={row.ImageUrl} alt="" />
      </span>
      <div className={styles.name}>
        {isGone ? <span>{name}</span> : <Link to={paths.product(row.ProductCode)}>{name}</Link>}
        <small>
          {[
            getSpecs(row),
            row.ModelCode,
            row.ProductCode,
            row.CustomerCode && `物料号 ${row.CustomerCode}`,
          ]
            .filter(Boolean)
            .join(' · ')}
        </small>
        <small>
          {formatTime(row.CreatedAt)} {since === '收藏时' ? '收藏' : '浏览'}
        </small>
      </div>
      <div className={styles.price}>
        {row.CustomerPrice === null ? (
          <span className={styles.none}>暂无价格</span>
        ) : (
          <Price value={row.CustomerPrice} market={row.MallPrice} size="s" />
        )}
        {!isGone && <Change row={row} since={since} />}
      </div>
      <div className={styles.acts}>
        {row.Problem ? (
          <p className={styles.problem}>
            <Tag tone="warn">{row.Problem.Message}</Tag>
            <Link to={paths.products({ Cid: row.CategoryId })}>看同类商品</Link>
          </p>
        ) : (
          <>
            <Stepper
              value={quantity}
              onChange={onQuantity}
              min={row.MinQuantity}
              step={row.StepQuantity}
              max={row.Stock}
              unit={row.Unit}
              limit="库存"
              size="s"
              label={`${name}数量`}
            />
            <CartButton
              hidesReason
              look="tint"
              size="s"
              disabled={isBusy}
              aria-label={`加入购物车：${name}`}
              onClick={onAdd}
            >
              加入购物车
            </CartButton>
          </>
        )}
        <Button look="text" size="s" aria-label={`移除：${name}`} onClick={onDrop}>
          移除
        </Button>
      </div>
    </li>
  )
}
