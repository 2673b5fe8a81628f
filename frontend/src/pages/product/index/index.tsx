import { useQuery, type QueryClient } from '@tanstack/react-query'
import type { LoaderFunctionArgs } from 'react-router-dom'
import type { ProductPage } from '@/api/schema'
import { BuyBox } from '@/domain/cart/BuyBox'
import { products } from '@/domain/catalog/products'
import { paths } from '@/lib/paths'
import { useFilters } from '@/lib/useFilters'
import { useTitle } from '@/lib/useTitle'
import { Button, ButtonLink } from '@/ui/Button'
import { cx } from '@/ui/cx'
import { Pager } from '@/ui/Pager'
import { CardSkeleton, ProductCard } from '@/ui/ProductCard'
import { Breadcrumb } from '@/ui/Small'
import { Empty, ErrorState, Skeleton } from '@/ui/States'
import { Facets } from './Facets'
import styles from './list.module.css'
import { CLEARED, readState, toQuery, type ListState } from './query'
import { ResultTable } from './ResultTable'
import { SortBar } from './SortBar'

export const loader = (client: QueryClient) => ({ request }: LoaderFunctionArgs) => {
  void client.prefetchQuery(products(toQuery(readState(new URL(request.url).searchParams))))
  return null
}

/** About as high as the filters will be: with attributes once a category or a keyword narrows the list. */
const facetHeight = ({ Cid, Keyword }: ListState): number => (Cid || Keyword ? 284 : 190)

const GRID_SIZES = [20, 50, 100]

function Nothing({ state, onChange }: { state: ListState; onChange: (change: Partial<ListState>) => void }) {
  const filtered = state.Brand.length + state.Attr.length > 0 || state.MinPrice || state.MaxPrice || state.InStock || state.Agreed
  const action = filtered ? (
    <Button look="primary" onClick={() => onChange({ ...CLEARED, Brand: [], Attr: [] })}>
      清空筛选条件
    </Button>
  ) : (
    <ButtonLink to={paths.products()} look="primary">
      浏览全部商品
    </ButtonLink>
  )
  return (
    <Empty icon="search" title={state.Keyword ? `没有找到与“${state.Keyword}”相关的商品` : '没有符合条件的商品'} action={action}>
      {filtered ? '试试放宽筛选条件' : '请检查关键词，或换用商品编码、型号搜索'}
    </Empty>
  )
}

function Result({ page, state, onChange }: { page: ProductPage; state: ListState; onChange: (change: Partial<ListState>) => void }) {
  if (!page.Items.length) return <Nothing state={state} onChange={onChange} />
  return (
    <>
      {state.View === 'table' ? (
        <ResultTable rows={page.Items} />
      ) : (
        <div className={styles.grid}>
          {page.Items.map((row, index) => (
            <ProductCard key={row.ProductCode} product={row} eager={index < 5} footer={<BuyBox product={row} />} />
          ))}
        </div>
      )}
      <Pager
        total={page.Total ?? 0}
        capped={page.TotalIsCapped}
        pageIndex={state.PageIndex}
        pageSize={state.PageSize}
        sizes={GRID_SIZES}
        onChange={(next) => {
          onChange(next)
          window.scrollTo({ top: 0 })
        }}
      />
    </>
  )
}

export function Component() {
  const [state, setState] = useFilters(readState)
  const { data, error, isPlaceholderData, refetch } = useQuery(products(toQuery(state)))
  const path = data?.Breadcrumbs ?? []
  const named = state.Keyword ? `“${state.Keyword}”的搜索结果` : (path.at(-1)?.Name ?? '全部商品')
  useTitle(data && named)
  const trail = [
    { label: '首页', to: paths.home() },
    ...(path.length ? path.map(({ CategoryId, Name }) => ({ label: Name, to: paths.products({ Cid: CategoryId }) })) : [{ label: '全部商品', to: paths.products() }]),
    ...(state.Keyword ? [{ label: named }] : []),
  ]
  return (
    <div className={styles.page}>
      <h1 className="visually-hidden">{named}</h1>
      <Breadcrumb items={trail} />
      {data?.Understood && state.Keyword && (
        <p className={styles.understood} role="status">
          没有与“{state.Keyword}”完全匹配的商品，已按“<b>{data.Understood}</b>”为您搜索
        </p>
      )}
      {data?.Facets ? <Facets facets={data.Facets} state={state} onChange={setState} /> : !error && <Skeleton height={facetHeight(state)} />}
      <SortBar state={state} total={data?.Total} capped={data?.TotalIsCapped} onChange={setState} />
      <section aria-label="商品列表" className={cx(styles.result, isPlaceholderData && styles.stale)} aria-busy={isPlaceholderData || (!data && !error)}>
        {error && !data && <ErrorState error={error} onRetry={() => void refetch()} />}
        {!data && !error && (
          <div className={styles.grid}>
            {Array.from({ length: 10 }, (_, index) => (
              <CardSkeleton key={index} footer />
            ))}
          </div>
        )}
        {data && <Result page={data} state={state} onChange={setState} />}
      </section>
    </div>
  )
}
