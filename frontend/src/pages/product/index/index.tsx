import { useQuery, type QueryClient } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import type { LoaderFunctionArgs } from 'react-router-dom'
import type { ProductPage } from '@/api/schema'
import { products } from '@/domain/catalog/products'
import { paths } from '@/lib/paths'
import { useSession } from '@/lib/session'
import { pageSizes, useFilters } from '@/lib/useFilters'
import { useTitle } from '@/lib/useTitle'
import { CardSkeleton } from '@/ui/CardSkeleton'
import { cx } from '@/ui/cx'
import { onIntent } from '@/ui/intent'
import { Breadcrumb, SkipLink } from '@/ui/Small'
import { ErrorState, Skeleton } from '@/ui/States'
import styles from './list.module.css'
import { isTooLong, readState, toQuery, type ListState } from './query'
import { SortBar } from './SortBar'

const Bones = () => (
  <div className={styles.grid}>
    {Array.from({ length: 10 }, (_, index) => (
      <CardSkeleton key={index} footer choice />
    ))}
  </div>
)

// These load beside the rows, which they need.
const cards = onIntent(() => import(/* webpackChunkName: "list-result" */ './Cards'), <Bones />)
const facets = onIntent(
  () => import(/* webpackChunkName: "list-result" */ './Facets'),
  <Skeleton height={284} />,
)
// Not needed for the first paint: the pager at the bottom, and the empty list.
const Pager = lazy(async () => ({
  default: (await import(/* webpackChunkName: "list-parts" */ '@/ui/Pager')).Pager,
}))
const phrase = onIntent(() => import(/* webpackChunkName: "list-parts" */ './Phrase'))
const table = onIntent(() => import(/* webpackChunkName: "product-table" */ './ResultTable'))
const NoResults = onIntent(() => import(/* webpackChunkName: "list-parts" */ './NoResults'))
const strip = onIntent(() => import(/* webpackChunkName: "list-parts" */ './ImageStrip'))

export const loader =
  (client: QueryClient) =>
  async ({ request }: LoaderFunctionArgs) => {
    const state = readState(new URL(request.url).searchParams)
    if (!isTooLong(state)) void client.prefetchQuery(products(toQuery(state)))
    // What stands above the list comes with the rows, so that the list does not move.
    void phrase.ready()
    void facets.ready()
    void cards.ready()
    // The table chunk is awaited. If the rows came before it, the page would look complete too
    // early.
    if (state.View === 'table') await table.ready()
    return null
  }

/** A placeholder with about the height of the filters. A category or a keyword adds attributes. */
const facetHeight = ({ Cid, Keyword }: ListState): number => (Cid || Keyword ? 284 : 190)

function Result({
  page,
  state,
  onChange,
}: {
  page: ProductPage
  state: ListState
  onChange: (change: Partial<ListState>) => void
}) {
  const person = useSession()
  if (!page.Items.length)
    return <NoResults.Part state={state} wayOut={page.NoResult} onChange={onChange} />
  // Another query forgets which members of the families were chosen.
  const asked = JSON.stringify(toQuery(state))
  return (
    <>
      {state.View === 'table' ? (
        <table.Part key={asked} rows={page.Items} />
      ) : (
        <cards.Part key={asked} rows={page.Items} />
      )}
      <Suspense fallback={<Skeleton height={72} />}>
        <Pager
          total={page.Total ?? 0}
          isCapped={page.TotalIsCapped}
          pageIndex={state.PageIndex}
          pageSize={state.PageSize}
          sizes={pageSizes(person !== null)}
          onChange={(next) => {
            onChange(next)
            window.scrollTo({ top: 0 })
          }}
        />
      </Suspense>
    </>
  )
}

export function Component() {
  const [state, setState] = useFilters(readState)
  const isKeywordTooLong = isTooLong(state)
  const { data, error, isPlaceholderData, refetch } = useQuery({
    ...products(toQuery(state)),
    enabled: !isKeywordTooLong,
  })
  const path = data?.Breadcrumbs ?? []
  const named = state.Keyword
    ? `“${state.Keyword}”的搜索结果`
    : (path.at(-1)?.Name ?? (state.ImageKey ? '以图搜索的结果' : '全部商品'))
  useTitle(data && named)
  const trail = [
    { label: '首页', to: paths.home() },
    ...(path.length
      ? path.map(({ CategoryId, Name }) => ({
          label: Name,
          to: paths.products({ Cid: CategoryId }),
        }))
      : [{ label: '全部商品', to: paths.products() }]),
    ...(state.Keyword ? [{ label: named }] : []),
  ]
  return (
    <div className={styles.page}>
      <h1 className="visually-hidden">{named}</h1>
      <SkipLink to="results">跳到商品列表</SkipLink>
      <Breadcrumb items={trail} />
      {state.ImageKey && (
        <div className={styles.strip}>
          <strip.Part
            head={data?.ImageSearch}
            total={data?.Total}
            error={error}
            chosen={state.Cid}
            onChange={setState}
          />
        </div>
      )}
      {data && state.Keyword && (
        <phrase.Part page={data} keyword={state.Keyword} onChange={setState} />
      )}
      {data?.Facets ? (
        <facets.Part facets={data.Facets} rows={data.Items} state={state} onChange={setState} />
      ) : (
        !error && !isKeywordTooLong && <Skeleton height={facetHeight(state)} />
      )}
      <SortBar
        preloadTable={table.ready}
        state={state}
        facets={data?.Facets}
        total={data?.Total}
        isCapped={data?.TotalIsCapped}
        onChange={setState}
      />
      <section
        id="results"
        aria-label="商品列表"
        className={cx(styles.result, isPlaceholderData && styles.stale)}
        aria-busy={isPlaceholderData || (!data && !error && !isKeywordTooLong)}
      >
        {isKeywordTooLong && (
          <NoResults.Part state={state} wayOut={undefined} onChange={setState} />
        )}
        {error && !data && <ErrorState error={error} onRetry={() => void refetch()} />}
        {!data && !error && !isKeywordTooLong && <Bones />}
        {data && !isKeywordTooLong && (
          <Suspense fallback={<Bones />}>
            <Result page={data} state={state} onChange={setState} />
          </Suspense>
        )}
      </section>
    </div>
  )
}
