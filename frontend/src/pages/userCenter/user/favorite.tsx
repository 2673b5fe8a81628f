import { useQuery, type QueryClient } from '@tanstack/react-query'
import { Pagination } from 'antd'
import type { LoaderFunctionArgs } from 'react-router-dom'
import { Page } from '@/desk/Page'
import { useFilters } from '@/lib/useFilters'
import { savedProducts } from '@/domain/catalog/savedProducts'
import { FAVOURITE } from '@/domain/catalog/products'
import { paths } from '@/lib/paths'
import { Button, ButtonLink } from '@/ui/Button'
import { cx } from '@/ui/cx'
import { Empty, ErrorState, Loading } from '@/ui/States'
import { readFilters, toQuery } from './filters'
import styles from './saved.module.css'
import { SavedFilter, SavedTabs } from './SavedFilter'
import { SavedList } from './SavedList'

export const loader =
  (client: QueryClient) =>
  ({ request }: LoaderFunctionArgs) => {
    void client.prefetchQuery(
      savedProducts(toQuery(FAVOURITE, readFilters(new URL(request.url).searchParams))),
    )
    return null
  }

/** 我的收藏: the price then and now, and add to cart. */
export function Component() {
  const [filters, setFilters] = useFilters(readFilters)
  const { data, error, refetch, isPlaceholderData } = useQuery(
    savedProducts(toQuery(FAVOURITE, filters)),
  )
  const some = data !== undefined && data.Summary.Total > 0
  return (
    <Page
      title="我的收藏"
      extra={
        some && (
          <span className={styles.most}>
            已收藏 {data.Summary.Total} 种，最多 {data.MaxRows} 种
          </span>
        )
      }
      tabs={some && <SavedTabs value={filters} onChange={setFilters} summary={data.Summary} />}
    >
      {some && <SavedFilter value={filters} onChange={setFilters} summary={data.Summary} />}
      {error && !data && <ErrorState error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Loading height={560} />}
      {data && !some && (
        <Empty
          icon="heart"
          title="还没有收藏的商品"
          action={
            <ButtonLink to={paths.products()} look="primary">
              去选购商品
            </ButtonLink>
          }
        >
          在商品页点“收藏”，这里会记下当时的价格，降价时一眼可见
        </Empty>
      )}
      {some && (
        <section
          aria-label="收藏的商品"
          aria-busy={isPlaceholderData}
          className={cx(isPlaceholderData && styles.waiting)}
        >
          {data.Items.length > 0 ? (
            <SavedList kind={FAVOURITE} rows={data.Items} />
          ) : (
            <Empty
              title="没有符合条件的收藏"
              action={
                <Button
                  look="primary"
                  onClick={() => setFilters({ Keyword: undefined, Cid: undefined, View: '' })}
                >
                  看全部收藏
                </Button>
              }
            >
              换个关键词或分类试试
            </Empty>
          )}
          {data.Total > data.PageSize && (
            <Pagination
              align="end"
              current={data.PageIndex}
              pageSize={data.PageSize}
              total={data.Total}
              showSizeChanger
              pageSizeOptions={[10, 20, 50, 100, 1000]}
              showTotal={(total) => `共 ${total} 种`}
              onChange={(PageIndex, PageSize) =>
                setFilters({ PageIndex: PageSize === data.PageSize ? PageIndex : 1, PageSize })
              }
            />
          )}
        </section>
      )}
    </Page>
  )
}
