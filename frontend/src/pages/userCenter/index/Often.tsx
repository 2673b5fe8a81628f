import { Link } from 'react-router-dom'
import { useMayRequest } from '@/domain/account/purchasing'
import { useAddToCart } from '@/domain/cart/cart'
import { CartButton } from '@/domain/cart/CartButton'
import type { Workbench } from '@/domain/orders/workbench'
import { yuan } from '@/lib/money'
import { paths } from '@/lib/paths'
import { getProductTitle } from '@/lib/productTitle'
import { ProductImage } from '@/ui/ProductImage'
import styles from './workbench.module.css'

type Row = Workbench['FrequentlyBought'][number]

function Product({ row }: { row: Row }) {
  const add = useAddToCart()
  const label = `加购 ${row.MinQuantity} ${row.Unit}`
  return (
    <li>
      <Link to={paths.product(row.ProductCode)}>
        <ProductImage src={row.ImageUrl} alt="" />
        <span>{getProductTitle(row)}</span>
        <b>{yuan(row.CustomerPrice)}</b>
      </Link>
      <CartButton
        hidesReason
        look="tint"
        size="s"
        wide
        loading={add.isPending}
        aria-label={`${label}：${getProductTitle(row)}`}
        onClick={() => add.mutate([{ ProductCode: row.ProductCode, Quantity: row.MinQuantity }])}
      >
        {label}
      </CartButton>
    </li>
  )
}

/** Frequently bought products, with add to cart. */
export function Often({ rows }: { rows: readonly Row[] }) {
  const hasCart = useMayRequest()
  if (!rows.length) return null
  return (
    <section className={styles.card} aria-label="常购商品">
      <header>
        <h2>
          常购商品<small>按起订量一键补货</small>
        </h2>
        {hasCart && (
          <Link className="touch" to={paths.cart()}>
            去购物车
          </Link>
        )}
      </header>
      <ul className={styles.often}>
        {rows.map((row) => (
          <Product key={row.ProductCode} row={row} />
        ))}
      </ul>
    </section>
  )
}
