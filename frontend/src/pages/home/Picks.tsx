import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router-dom'
import { useAddToCart } from '@/domain/cart/cart'
import { CartButton } from '@/domain/cart/CartButton'
import { products } from '@/domain/catalog/products'
import { workbench, type Workbench } from '@/domain/orders/workbench'
import { paths } from '@/lib/paths'
import { getProductTitle, prependBrand } from '@/lib/productTitle'
import { useSession } from '@/lib/session'
import { cx } from '@/ui/cx'
import { Icon } from '@/ui/Icon'
import { Price } from '@/ui/Price'
import { ProductImage } from '@/ui/ProductImage'
import { ErrorState, Loading } from '@/ui/States'
import styles from './picks.module.css'

/**
 * The best sellers among the products visible to this user, a family once. Ten is the smallest page
 * size of the server.
 */
const best = products({
  Sort: 'sales',
  PageIndex: 1,
  PageSize: 10,
  Facets: '0',
  Total: '0',
  Group: 'family',
  Variants: '1',
})

/** Only the first five fit beside 常购. */
const MAX_PICKS_BESIDE_FREQUENT = 5

type Row = Workbench['FrequentlyBought'][number]

function FrequentProduct({ row }: { row: Row }) {
  const add = useAddToCart()
  const isSoldOut = row.Stock <= 0
  const label = isSoldOut ? '暂时缺货' : `加购 ${row.MinQuantity} ${row.Unit}`
  return (
    <li className={styles.again}>
      <ProductImage src={row.ImageUrl} alt="" />
      <div>
        <Link to={paths.product(row.ProductCode)} title={getProductTitle(row)}>
          {getProductTitle(row)}
        </Link>
        <Price value={row.CustomerPrice} size="s" />
        <CartButton
          hidesReason
          look="tint"
          size="s"
          disabled={isSoldOut}
          loading={add.isPending}
          aria-label={`${label}：${getProductTitle(row)}`}
          onClick={() => add.mutate([{ ProductCode: row.ProductCode, Quantity: row.MinQuantity }])}
        >
          {label}
        </CartButton>
      </div>
    </li>
  )
}

function Often({ rows }: { rows: readonly Row[] }) {
  return (
    <section className={styles.card} aria-label="常购商品">
      <header>
        <h2>常购商品</h2>
        <small>按起订量一键补货</small>
      </header>
      <ul className={styles.grid}>
        {rows.map((row) => (
          <FrequentProduct key={row.ProductCode} row={row} />
        ))}
      </ul>
    </section>
  )
}

function Ranking({ wide }: { wide: boolean }) {
  const person = useSession()
  const { data, error, refetch } = useQuery(best)
  return (
    <section className={cx(styles.card, wide && styles.wide)} aria-label="热销榜">
      <header>
        <h2>热销榜</h2>
        <small>{person ? '您的目录中销量最高的商品' : '公开商品中销量最高的商品'}</small>
        {person && (
          <Link className="touch" to={paths.rank()}>
            企业排行
          </Link>
        )}
        <Link className="touch" to={paths.products({ Sort: 'sales' })}>
          更多
          <Icon name="right" size={12} />
        </Link>
      </header>
      {!data && !error && <Loading height={236} />}
      {!data && error && <ErrorState error={error} onRetry={() => void refetch()} />}
      <ol>
        {data?.Items.slice(0, wide ? undefined : MAX_PICKS_BESIDE_FREQUENT).map((row, index) => {
          const name = row.Family ? prependBrand(row.Brand, row.Family.Name) : getProductTitle(row)
          return (
            <li key={row.ProductCode} className={styles.ranked}>
              <i className={cx(index < 3 && styles.top)}>{index + 1}</i>
              <ProductImage src={row.ImageUrl} alt="" />
              <Link to={paths.product(row.ProductCode)} title={name}>
                {name}
              </Link>
              {row.Family?.HasPriceRange ? (
                <Price value={row.Family.LowestPrice} size="s" isFrom />
              ) : (
                <Price value={row.CustomerPrice} size="s" />
              )}
            </li>
          )
        })}
      </ol>
    </section>
  )
}

/**
 * The user's frequently bought products beside the best sellers. Only the best sellers if he has
 * bought nothing yet.
 */
export default function Picks() {
  const uid = useSession()?.User.uid
  const { data, isPending } = useQuery({ ...workbench(uid ?? ''), enabled: uid !== undefined })
  const often = data?.FrequentlyBought ?? []
  if (uid !== undefined && isPending) return <Loading height={300} />
  return (
    <div className={cx(styles.picks, often.length > 0 && styles.both)}>
      {often.length > 0 && <Often rows={often} />}
      <Ranking wide={often.length === 0} />
    </div>
  )
}
