import { useQuery, type QueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useRef, useState, type ReactNode } from 'react'
import { Link, useSearchParams, type LoaderFunctionArgs } from 'react-router-dom'
import type { ComparedProduct } from '@/api/schema'
import { BuyBox } from '@/domain/cart/BuyBox'
import { getSpecs } from '@/domain/catalog/variantChoice'
import { compare, MAX_COMPARED } from '@/domain/catalog/compare'
import { compared } from '@/domain/catalog/products'
import { paths } from '@/lib/paths'
import { getProductTitle } from '@/lib/productTitle'
import { Button, ButtonLink } from '@/ui/Button'
import { cx } from '@/ui/cx'
import { Checkbox } from '@/ui/Choice'
import { Icon } from '@/ui/Icon'
import { Price } from '@/ui/Price'
import { ProductImage } from '@/ui/ProductImage'
import { Breadcrumb, Tag } from '@/ui/Small'
import { Empty, ErrorState, Loading } from '@/ui/States'
import styles from './compare.module.css'
import { differs, getRows } from './rows'

/** Returns the product codes of an address: digits only, without duplicates, four at most. */
const getCodes = (params: URLSearchParams): string[] =>
  [...new Set(params.getAll('Code').filter((code) => /^\d{1,18}$/.test(code)))].slice(
    0,
    MAX_COMPARED,
  )

export const loader =
  (client: QueryClient) =>
  ({ request }: LoaderFunctionArgs) => {
    const codes = getCodes(new URL(request.url).searchParams)
    if (codes.length) void client.prefetchQuery(compared(codes))
    return null
  }

const EmptyComparison = () => (
  <Empty
    icon="swap"
    title="还没有要对比的商品"
    action={
      <ButtonLink to={paths.products()} look="primary">
        去选商品
      </ButtonLink>
    }
  >
    在商品列表或商品页点“对比”，最多可选 {MAX_COMPARED} 件
  </Empty>
)

/**
 * The frame in which the table scrolls sideways. A shadow at its right edge and a text show that
 * there are more columns.
 */
function Frame({ children }: { children: ReactNode }) {
  const frame = useRef<HTMLDivElement>(null)
  const [edges, setEdges] = useState({ hasMore: false, isScrolled: false })
  const look = useCallback((): void => {
    const { current: box } = frame
    if (!box) return
    const left = box.scrollWidth - box.clientWidth - box.scrollLeft
    setEdges({ hasMore: left > 1, isScrolled: box.scrollLeft > 1 })
  }, [])
  useEffect(() => {
    const { current: box } = frame
    const watch = new ResizeObserver(look)
    for (const element of [box, box?.firstElementChild]) if (element) watch.observe(element)
    return () => watch.disconnect()
  }, [look])
  return (
    <>
      {(edges.hasMore || edges.isScrolled) && (
        <p className={styles.swipe}>
          左右滑动查看全部商品
          <Icon name="swap" size={14} />
        </p>
      )}
      <div className={cx(styles.sides, edges.hasMore && styles.more)}>
        <div
          ref={frame}
          className={cx(styles.frame, edges.isScrolled && styles.scrolled)}
          role="region"
          aria-label="对比表"
          tabIndex={-1}
          onScroll={look}
        >
          {children}
        </div>
      </div>
    </>
  )
}

/**
 * A choice between the product of this column and the other products of its family that can be
 * bought. It leaves out products that have a column of their own.
 */
function Family({
  product,
  compared: shown,
  onChoose,
}: {
  product: ComparedProduct
  compared: readonly string[]
  onChoose: (code: string, next: string) => void
}) {
  const { ProductCode: code, Variants: variants } = product
  if (!variants.length) return null
  return (
    <select
      className={styles.family}
      aria-label={`同款规格：${getProductTitle(product)}`}
      value={code}
      onChange={(event) => onChoose(code, event.target.value)}
    >
      {!variants.some(({ ProductCode }) => ProductCode === code) && (
        <option value={code}>当前商品（暂时无法购买）</option>
      )}
      {variants.map((variant) => (
        <option
          key={variant.ProductCode}
          value={variant.ProductCode}
          disabled={variant.ProductCode !== code && shown.includes(variant.ProductCode)}
        >
          {getSpecs(variant)}
          {variant.CustomerPrice === null ? '' : `　¥${variant.CustomerPrice}`}
          {variant.InStock ? '' : '（暂时缺货）'}
        </option>
      ))}
    </select>
  )
}

/** Compares products side by side. Differences are marked; equal rows can be hidden. */
export function Component() {
  const [params, setParams] = useSearchParams()
  const codes = getCodes(params)
  const { data, error, refetch } = useQuery(compared(codes))
  const [showsOnlyDifferences, setOnlyDiffering] = useState(false)
  const products = data ?? []
  const rows = getRows(products).filter((row) => !showsOnlyDifferences || differs(row.values))
  /** Shows another product of the family in the same column. */
  const swap = (code: string, next: string): void => {
    compare.drop(code)
    setParams({ Code: codes.map((one) => (one === code ? next : one)) }, { replace: true })
  }
  const drop = (code: string): void => {
    compare.drop(code)
    setParams({ Code: codes.filter((other) => other !== code) }, { replace: true })
  }
  return (
    <div className={styles.page}>
      <Breadcrumb
        items={[
          { label: '首页', to: paths.home() },
          { label: '全部商品', to: paths.products() },
          { label: '商品对比' },
        ]}
      />
      <div className={styles.head}>
        <h1>商品对比</h1>
        {products.length > 1 && (
          <div className={styles.tools}>
            <Checkbox checked={showsOnlyDifferences} onChange={setOnlyDiffering}>
              只看不同项
            </Checkbox>
            <Button icon="printer" onClick={() => window.print()}>
              打印
            </Button>
          </div>
        )}
      </div>
      {error && !data ? (
        <ErrorState error={error} onRetry={() => void refetch()} />
      ) : !codes.length || (data && !data.length) ? (
        <EmptyComparison />
      ) : (
        !data && <Loading height={640} />
      )}
      {products.length > 0 && (
        <Frame>
          <table>
            <thead>
              <tr>
                <td />
                {products.map((product) => (
                  <th key={product.ProductCode} scope="col">
                    <button
                      type="button"
                      className={styles.drop}
                      aria-label={`移出对比：${getProductTitle(product)}`}
                      onClick={() => drop(product.ProductCode)}
                    >
                      <Icon name="close" size={14} />
                    </button>
                    <ProductImage src={product.ImageUrl} alt="" eager />
                    <Link to={paths.product(product.ProductCode)}>{getProductTitle(product)}</Link>
                    <Family product={product} compared={codes} onChoose={swap} />
                    <Price value={product.CustomerPrice} market={product.MallPrice} />
                    <div className={styles.buy}>
                      <BuyBox product={product} />
                    </div>
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {rows.map(({ name, values, lowest }) => (
                <tr key={name} className={cx(differs(values) && styles.differs)}>
                  <th scope="row">
                    {name}
                    {differs(values) && <span className="visually-hidden">（不同）</span>}
                  </th>
                  {values.map((value, index) => (
                    <td key={products[index]?.ProductCode}>
                      {value || '—'} {lowest?.includes(index) && <Tag tone="good">最低</Tag>}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
          {showsOnlyDifferences && !rows.length && (
            <p className={styles.same}>这些商品的各项参数都相同</p>
          )}
        </Frame>
      )}
    </div>
  )
}
