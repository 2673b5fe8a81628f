import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router-dom'
import type { ProductRow } from '@/api/schema'
import { products } from '@/domain/catalog/products'
import { paths } from '@/lib/paths'
import { useNear } from '@/lib/useNear'
import { Button } from '@/ui/Button'
import { cx } from '@/ui/cx'
import { categoryIcon, Icon } from '@/ui/Icon'
import { CardSkeleton } from '@/ui/CardSkeleton'
import { ProductCard } from '@/ui/ProductCard'
import type { PlacedGroup } from './floors'
import styles from './home.module.css'

/**
 * The best-selling products of a first-level category. The number is large enough to cover six
 * articles with their colours.
 */
export const bestSellers = (Cid: string) =>
  products({ Cid, Sort: 'sales', PageIndex: 1, PageSize: 20, Facets: '0', Total: '0' })

const MAX_PRODUCTS = 6

/**
 * One product per article: the best-selling colour. Other colours fill up only if there are too few
 * articles.
 */
const pickOnePerArticle = (rows: readonly ProductRow[]): ProductRow[] => {
  const articles = rows.map((row) => row.ModelCode || row.ProductCode)
  const first = rows.filter((_, at) => articles.indexOf(articles[at] ?? '') === at)
  return [...first, ...rows.filter((row) => !first.includes(row))].slice(0, MAX_PRODUCTS)
}

const TONES = ['blue', 'teal', 'sand', 'violet'] as const

interface FloorProps {
  group: PlacedGroup
  index: number
  /**
   * The lower floors wait for the first one, so that the first products load as early as possible.
   */
  may: boolean
}

/**
 * A menu group with its best-selling products. It loads when it comes near the screen. It
 * disappears if it is empty.
 */
export function Floor({ group, index, may }: FloorProps) {
  const [element, isNear] = useNear<HTMLElement>(may)
  const [chosen, setChosen] = useState(group.roots[0]?.C1.CategoryId ?? '')
  const { data, isError, isLoading, isPlaceholderData, refetch } = useQuery({
    ...bestSellers(chosen),
    enabled: index === 0 || isNear,
  })
  const root = group.roots.find(({ C1 }) => C1.CategoryId === chosen)
  if (data?.Items.length === 0 && !isPlaceholderData) return null
  return (
    <section ref={element} className={styles.floor} aria-label={group.name}>
      <header className={styles.floorHead}>
        <h2>{group.name}</h2>
        <nav aria-label={`${group.name}分类`}>
          {group.roots.map(({ C1 }) => (
            <button
              key={C1.CategoryId}
              type="button"
              aria-pressed={C1.CategoryId === chosen}
              onClick={() => setChosen(C1.CategoryId)}
            >
              {C1.Name}
            </button>
          ))}
        </nav>
        <Link className={styles.more} to={paths.products({ Cid: chosen })}>
          更多
          <Icon name="right" size={12} />
        </Link>
      </header>
      <div className={styles.shelf}>
        <nav
          className={cx(styles.tile, styles[TONES[index % TONES.length] ?? 'blue'])}
          aria-label={`${root?.C1.Name ?? group.name}下的分类`}
        >
          <Link to={paths.products({ Cid: chosen })}>{root?.C1.Name}</Link>
          <div>
            {root?.Category2List.slice(0, 8).map(({ C2 }) => (
              <Link key={C2.CategoryId} to={paths.products({ Cid: C2.CategoryId })}>
                {C2.Name}
              </Link>
            ))}
          </div>
          <Icon name={categoryIcon(group.index)} size={96} />
        </nav>
        <div
          className={cx(styles.grid, isPlaceholderData && styles.stale)}
          aria-busy={isLoading || isPlaceholderData}
        >
          {data &&
            pickOnePerArticle(data.Items).map((row) => (
              <ProductCard key={row.ProductCode} product={row} eager={index === 0} />
            ))}
          {!data &&
            !isError &&
            Array.from({ length: MAX_PRODUCTS }, (_, at) => <CardSkeleton key={at} />)}
          {!data && isError && (
            <p className={styles.failed} role="alert">
              这一层商品没有加载出来
              <Button size="s" onClick={() => void refetch()}>
                重新加载
              </Button>
            </p>
          )}
        </div>
      </div>
    </section>
  )
}
