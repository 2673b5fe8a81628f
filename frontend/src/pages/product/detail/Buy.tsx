import { Fragment, lazy, Suspense, useEffect, useRef, useState } from 'react'
import { Link, useLocation } from 'react-router-dom'
import type { ProductDetail } from '@/api/schema'
import { BuyBox, getRefusal } from '@/domain/cart/BuyBox'
import { useFavourite } from '@/domain/catalog/products'
import { toFen } from '@/lib/money'
import { paths } from '@/lib/paths'
import { getMallTitle, getProductTitle } from '@/lib/productTitle'
import { useSession } from '@/lib/session'
import { formatDate, inDays } from '@/lib/time'
import { baseUnitPriceText } from '@/ui/BaseUnitPrice'
import { Button } from '@/ui/Button'
import { Icon } from '@/ui/Icon'
import { Price } from '@/ui/Price'
import { ProductImage } from '@/ui/ProductImage'
import { Tag } from '@/ui/Small'
import { Skeleton } from '@/ui/States'
import styles from './detail.module.css'
import { Specs } from './Specs'

const Shortage = lazy(() => import(/* webpackChunkName: "product-shortage" */ './Shortage'))
// Shown to signed-in users only. One chunk.
const loadOwnParts = () => import(/* webpackChunkName: "product-mine" */ './Mine')
const Addressed = lazy(async () => ({ default: (await loadOwnParts()).Delivery }))
const Bought = lazy(async () => ({ default: (await loadOwnParts()).Bought }))
const Naming = lazy(async () => ({ default: (await loadOwnParts()).Naming }))
// Tiers belong to agreements, so a visitor has none.
const Tiers = lazy(async () => ({ default: (await loadOwnParts()).Tiers }))

/**
 * The delivery date. For a signed-in user the server computes it for his address. For a visitor it
 * is the standard lead time.
 */
function Delivery({ product }: { product: ProductDetail }) {
  const person = useSession()
  const { pathname, search } = useLocation()
  if (getRefusal(product)) return '—'
  if (person)
    return (
      <Suspense fallback={<Skeleton height={54} />}>
        <Addressed product={product} uid={person.User.uid} />
      </Suspense>
    )
  return (
    <>
      预计 {inDays(product.LeadDays)}送达（{product.LeadDays} 天）{' '}
      <Link className={styles.signIn} to={paths.login(pathname + search)}>
        登录后按收货地址估算
      </Link>
    </>
  )
}

/** Returns true when the element is scrolled out at the top. */
function usePassed(): [React.RefObject<HTMLDivElement | null>, boolean] {
  const element = useRef<HTMLDivElement>(null)
  const [isPassed, setPassed] = useState(false)
  useEffect(() => {
    if (!element.current || typeof IntersectionObserver === 'undefined') return
    const observer = new IntersectionObserver(
      ([entry]) => entry && setPassed(!entry.isIntersecting && entry.boundingClientRect.top < 0),
    )
    observer.observe(element.current)
    return () => observer.disconnect()
  }, [])
  return [element, isPassed]
}

function Availability({ product }: { product: ProductDetail }) {
  const refusal = getRefusal(product)
  if (refusal) return <span className={styles.out}>{refusal}</span>
  return (
    <>
      <span className={styles.good}>有货</span>（{product.Stock.toLocaleString('en-US')}{' '}
      {product.Unit}）
    </>
  )
}

/** The height of a row of the table of tiers. */
const TIER_ROW = 22

/** The discount on the market price in whole percent. 0 if there is none. */
const savedPercent = ({ CustomerPrice, MallPrice }: ProductDetail): number =>
  toFen(MallPrice) > 0 ? Math.floor((1 - toFen(CustomerPrice) / toFen(MallPrice)) * 100) : 0

function PriceBox({ product }: { product: ProductDetail }) {
  const { PriceSource: source } = product
  const person = useSession()
  const { pathname, search } = useLocation()
  const off = savedPercent(product)
  const each = baseUnitPriceText(product)
  return (
    <dl className={styles.priceBox}>
      <dt>{product.IsAgreementPrice ? '协议价' : '价格'}</dt>
      <dd>
        <Price value={product.CustomerPrice} market={product.MallPrice} size="l" />{' '}
        <span className={styles.unit}>/ {product.Unit}</span>
        {off > 0 && <Tag tone="good">较市场价省 {off}%</Tag>}
        {each && (
          <small className={styles.example}>
            折合 {each}（每{product.Unit} {product.Contents?.toLocaleString('en-US')}{' '}
            {product.BaseUnit}）
          </small>
        )}
        {!person && (
          <Link className={styles.signIn} to={paths.login(pathname + search)}>
            登录查看协议价
          </Link>
        )}
      </dd>
      {product.Tiers.length > 0 && (
        <>
          <dt>阶梯价</dt>
          <dd>
            <Suspense fallback={<Skeleton height={TIER_ROW * (product.Tiers.length + 3)} />}>
              <Tiers product={product} />
            </Suspense>
          </dd>
        </>
      )}
      {source && (
        <>
          <dt>价格来源</dt>
          <dd>
            <Tag tone="brand">{source.Name}</Tag>{' '}
            {source.ValidTo ? `有效期至 ${formatDate(source.ValidTo)}` : '长期有效'}
          </dd>
        </>
      )}
      <dt>税率</dt>
      <dd>{Math.round(Number(product.TaxRate) * 100)}%（价格含税）</dd>
    </dl>
  )
}

/** 起订 and 增量, with the resulting quantities. */
function Minimum({
  product: { MinQuantity: min, StepQuantity: step, Unit: unit },
}: {
  product: ProductDetail
}) {
  if (step <= 1) return `${min} ${unit}起订`
  return (
    <>
      {min} {unit}起订，每次增加 {step} {unit}
      <small className={styles.example}>
        可购 {[0, 1, 2].map((more) => min + more * step).join('、')} {unit}…
      </small>
    </>
  )
}

function Favourite({ product }: { product: ProductDetail }) {
  const favourite = useFavourite(product.ProductCode)
  return (
    <Button
      icon="heart"
      size="l"
      look={product.IsFavorite ? 'tint' : 'secondary'}
      aria-pressed={product.IsFavorite}
      loading={favourite.isPending}
      onClick={() => favourite.mutate(!product.IsFavorite)}
    >
      {product.IsFavorite ? '已收藏' : '收藏'}
    </Button>
  )
}

/**
 * Price, facts and the add-to-cart form. The form follows the reader down the page. `isStale`:
 * another member of the family is chosen and not there yet, so this one must not go into the cart.
 */
export function Buy({ product, isStale }: { product: ProductDetail; isStale: boolean }) {
  const [box, isPassed] = usePassed()
  const person = useSession()
  const mall = getMallTitle(product, product.ProductName)
  const facts: [string, React.ReactNode][] = [
    ['库存', <Availability key="stock" product={product} />],
    ['起订', <Minimum key="minimum" product={product} />],
    ...(product.ReviewCount
      ? [
          [
            '评价',
            <a key="reviews" className={styles.signIn} href="#reviews">
              {product.Rating} 分，{product.ReviewCount} 条评价
            </a>,
          ] satisfies [string, React.ReactNode],
        ]
      : []),
    ['品牌', product.Brand],
    ['型号', product.ModelCode || '—'],
    ['商品编码', product.ProductCode],
    ['规格', product.Pack || '—'],
    ...(person
      ? [['物料号', product.CustomerCode || '—'] satisfies [string, React.ReactNode]]
      : []),
  ]
  return (
    <section className={styles.info} aria-label="商品信息">
      <div className={styles.title}>
        <h1>{getProductTitle(product)}</h1>
        {person && (
          <Suspense>
            <Naming key={product.ProductCode} product={product} />
          </Suspense>
        )}
      </div>
      {mall && <p className={styles.original}>商城品名：{mall}</p>}
      {product.SellingPoints.length > 0 && (
        <div className={styles.points}>
          {product.SellingPoints.map((point) => (
            <Tag key={point}>{point}</Tag>
          ))}
        </div>
      )}
      <PriceBox product={product} />
      <Specs product={product} />
      <dl className={styles.facts}>
        <dt>送达</dt>
        <dd className={styles.wide}>
          <Delivery product={product} />
        </dd>
        {person && (
          <>
            <dt>同事买过</dt>
            <dd className={styles.wide}>
              <Suspense fallback={<Skeleton height={22} width={260} />}>
                <Bought product={product} uid={person.User.uid} />
              </Suspense>
            </dd>
          </>
        )}
        {facts.map(([name, value]) => (
          <Fact key={name} name={name} value={value} />
        ))}
      </dl>
      {getRefusal(product) !== null && product.Substitutes.length > 0 && (
        <p className={styles.instead}>
          <Icon name="swap" size={16} />
          {getRefusal(product)}，
          <a href="#substitutes">
            看看同类可替代的 {Math.min(6, product.Substitutes.length)} 件商品
          </a>
        </p>
      )}
      {product.IsOnSale && getRefusal(product) !== null && (
        <Suspense fallback={<Skeleton height={32} />}>
          <Shortage product={product} />
        </Suspense>
      )}
      <div ref={box} className={styles.buy} inert={isStale}>
        <Fragment key={product.ProductCode}>
          <BuyBox product={product} size="l" />
          <Favourite product={product} />
        </Fragment>
      </div>
      {isPassed && (
        <div className={styles.sticky} data-buy-bar inert={isStale}>
          <div>
            <ProductImage src={product.ImageUrl} alt="" />
            <b>{getProductTitle(product)}</b>
            <Price value={product.CustomerPrice} />
            <BuyBox key={product.ProductCode} product={product} size="m" />
          </div>
        </div>
      )}
    </section>
  )
}

const Fact = ({ name, value }: { name: string; value: React.ReactNode }) => (
  <>
    <dt>{name}</dt>
    <dd>{value}</dd>
  </>
)
