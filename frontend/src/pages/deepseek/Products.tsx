import { useState } from 'react'
import { Link } from 'react-router-dom'
import { useMayRequest } from '@/domain/account/purchasing'
import { useAddToCart } from '@/domain/cart/cart'
import { paths } from '@/lib/paths'
import { getProductTitle } from '@/lib/productTitle'
import { BaseUnitPrice } from '@/ui/BaseUnitPrice'
import { Button } from '@/ui/Button'
import { Price } from '@/ui/Price'
import { ProductImage } from '@/ui/ProductImage'
import { Stepper } from '@/ui/Stepper'
import type { Card } from './api'
import styles from './answer.module.css'

function ProductCard({ card, place }: { card: Card; place: number }) {
  const [quantity, setQuantity] = useState(card.MinQuantity)
  const add = useAddToCart()
  const may = useMayRequest()
  const isGone = !card.IsOnSale || card.Stock < card.MinQuantity
  return (
    <li className={styles.card}>
      <Link
        to={paths.product(card.ProductCode)}
        className={styles.picture}
        tabIndex={-1}
        aria-hidden
      >
        <ProductImage src={card.ImageUrl} alt="" />
        <b>{place}</b>
      </Link>
      <div className={styles.facts}>
        <Link to={paths.product(card.ProductCode)} className={styles.name}>
          {getProductTitle(card)}
        </Link>
        <span>
          <Price value={card.CustomerPrice} market={card.MallPrice} size="s" />
          <small>/{card.Unit}</small>
          <BaseUnitPrice product={card} />
        </span>
        <small>
          {card.IsOnSale
            ? card.Stock > 0
              ? `库存 ${card.Stock}${card.Unit} · 约 ${card.LeadDays} 天发货`
              : '暂时缺货'
            : '已下架'}
        </small>
        {may && (
          <span className={styles.buy}>
            <Stepper
              size="s"
              value={quantity}
              onChange={setQuantity}
              min={card.MinQuantity}
              step={card.StepQuantity}
              max={Math.max(card.Stock, card.MinQuantity)}
              unit={card.Unit}
              limit="库存"
              wide
              disabled={isGone}
              label={`${getProductTitle(card)}的数量`}
            />
            <Button
              size="s"
              look="tint"
              disabled={isGone}
              loading={add.isPending}
              aria-label={`加购 ${getProductTitle(card)}`}
              onClick={() => add.mutate([{ ProductCode: card.ProductCode, Quantity: quantity }])}
            >
              加购
            </Button>
          </span>
        )}
      </div>
    </li>
  )
}

/** Products in the order of their numbers in the text. The user adds each one himself. */
export const Products = ({ cards }: { cards: Card[] }) => (
  <ol className={styles.cards} aria-label="商品">
    {cards.map((card, at) => (
      <ProductCard key={card.ProductCode} card={card} place={at + 1} />
    ))}
  </ol>
)
