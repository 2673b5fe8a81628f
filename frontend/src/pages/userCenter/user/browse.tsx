import { useQuery, type QueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { LoaderFunctionArgs } from 'react-router-dom'
import { Page } from '@/desk/Page'
import { useFilters } from '@/lib/useFilters'
import { savedProducts, useRemoveSaved } from '@/domain/catalog/savedProducts'
import { BROWSED } from '@/domain/catalog/products'
import { paths } from '@/lib/paths'
import { Button, ButtonLink } from '@/ui/Button'
import { cx } from '@/ui/cx'
import { Dialog } from '@/ui/Dialog'
import { Empty, ErrorState, Loading } from '@/ui/States'
import { byDay, dayTitle, readFilters, toQuery } from './filters'
import styles from './saved.module.css'
import { SavedFilter, SavedTabs } from './SavedFilter'
import { SavedList } from './SavedList'

export const loader =
  (client: QueryClient) =>
  ({ request }: LoaderFunctionArgs) => {
    void client.prefetchQuery(
      savedProducts(toQuery(BROWSED, readFilters(new URL(request.url).searchParams))),
    )
    return null
  }

function ClearAll() {
  const [isAsking, setAsking] = useState(false)
  const clear = useRemoveSaved(BROWSED)
  return (
    <>
      <Button icon="trash" onClick={() => setAsking(true)}>
        清空
      </Button>
      <Dialog
        title="清空全部浏览历史？"
        open={isAsking}
        onClose={() => setAsking(false)}
        footer={
          <>
            <Button onClick={() => setAsking(false)}>取消</Button>
            <Button
              look="danger"
              loading={clear.isPending}
              onClick={() => clear.mutate(null, { onSuccess: () => setAsking(false) })}
            >
              清空
            </Button>
          </>
        }
      >
        清空后不能恢复，收藏的商品不受影响。
      </Dialog>
    </>
  )
}

/** 浏览历史 by day. The server keeps the latest hundred. */
export function Component() {
  const [filters, setFilters] = useFilters(readFilters)
  const { data, error, refetch, isPlaceholderData } = useQuery(
    savedProducts(toQuery(BROWSED, filters)),
  )
  const some = data !== undefined && data.Summary.Total > 0
  return (
    <Page
      title="浏览历史"
      extra={
        some && (
          <>
            <span className={styles.most}>只保留最近浏览的 {data.MaxRows} 种商品</span>
            <ClearAll />
          </>
        )
      }
      tabs={some && <SavedTabs value={filters} onChange={setFilters} summary={data.Summary} />}
    >
      {some && <SavedFilter value={filters} onChange={setFilters} summary={data.Summary} />}
      {error && !data && <ErrorState error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Loading height={560} />}
      {data && !some && (
        <Empty
          icon="clock"
          title="还没有浏览记录"
          action={
            <ButtonLink to={paths.products()} look="primary">
              去逛逛
            </ButtonLink>
          }
        >
          看过的商品会按日期记在这里，保留最近的 {data.MaxRows} 种
        </Empty>
      )}
      {some && (
        <section
          aria-label="浏览过的商品"
          aria-busy={isPlaceholderData}
          className={cx(isPlaceholderData && styles.waiting)}
        >
          {data.Items.length > 0 ? (
            <SavedList
              kind={BROWSED}
              rows={data.Items}
              sections={(lines) =>
                byDay(data.Items).map(([day, rows]) => (
                  <section key={day} aria-label={day}>
                    <h2 className={styles.day}>{dayTitle(day)}</h2>
                    {lines(rows)}
                  </section>
                ))
              }
            />
          ) : (
            <Empty
              title="没有符合条件的浏览记录"
              action={
                <Button
                  look="primary"
                  onClick={() => setFilters({ Keyword: undefined, Cid: undefined, View: '' })}
                >
                  看全部记录
                </Button>
              }
            >
              换个关键词或分类试试
            </Empty>
          )}
        </section>
      )}
    </Page>
  )
}
