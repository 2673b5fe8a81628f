import { useQuery, type QueryClient } from '@tanstack/react-query'
import { Pagination } from 'antd'
import { useState } from 'react'
import type { LoaderFunctionArgs } from 'react-router-dom'
import { FilterBar } from '@/desk/FilterBar'
import { Page } from '@/desk/Page'
import { StatusTabs } from '@/desk/StatusTabs'
import { useFilters } from '@/lib/useFilters'
import { orders } from '@/domain/orders/orders'
import { paths } from '@/lib/paths'
import { useSession } from '@/lib/session'
import { ButtonLink } from '@/ui/Button'
import { Empty, ErrorState, Loading } from '@/ui/States'
import { BatchBar } from './BatchBar'
import { ALWAYS, getFields, FILTERS, toQuery } from './filters'
import styles from './order.module.css'
import { OftenBought } from './OftenBought'
import { OrderCard } from './OrderCard'

export const loader =
  (client: QueryClient) =>
  ({ request }: LoaderFunctionArgs) => {
    void client.prefetchQuery(orders(toQuery(FILTERS.read(new URL(request.url).searchParams))))
    return null
  }

export function Component() {
  const [filters, setFilters] = useFilters(FILTERS.read)
  const uid = useSession()?.User.uid ?? ''
  const { data, error, refetch, isPlaceholderData } = useQuery(orders(toQuery(filters)))
  const [ticked, setTicked] = useState<ReadonlySet<string>>(new Set())
  return (
    <>
      <Page
        title="我的订单"
        extra={<ButtonLink to={paths.requisitions()}>采购申请</ButtonLink>}
        tabs={
          <StatusTabs
            label="订单状态"
            tabs={data?.Tabs}
            always={ALWAYS}
            value={filters.Status}
            hasFailed={Boolean(error)}
            onChange={(Status) => setFilters({ Status })}
          />
        }
      >
        <FilterBar value={filters} onChange={setFilters} fields={getFields(uid)} />
        {error && !data && <ErrorState error={error} onRetry={() => void refetch()} />}
        {!data &&
          !error &&
          [0, 1, 2].map((row) => (
            <div key={row} className={styles.bone}>
              <Loading height={170} />
            </div>
          ))}
        {data && (
          <div
            className={isPlaceholderData ? styles.waiting : undefined}
            aria-busy={isPlaceholderData}
          >
            {data.Items.length > 0 && (
              <BatchBar
                rows={data.Items}
                ticked={ticked}
                filters={filters}
                onTick={(orderNos) => setTicked(new Set(orderNos))}
              />
            )}
            {data.Items.map((row) => (
              <OrderCard
                key={row.OrderNo}
                order={row}
                isTicked={ticked.has(row.OrderNo)}
                onTick={(isOn) =>
                  setTicked((now) =>
                    isOn
                      ? new Set(now).add(row.OrderNo)
                      : new Set([...now].filter((orderNo) => orderNo !== row.OrderNo)),
                  )
                }
              />
            ))}
            {!data.Items.length && (
              <Empty
                title="没有符合条件的订单"
                icon="order"
                action={
                  <ButtonLink to={paths.products()} look="primary">
                    去选购商品
                  </ButtonLink>
                }
              >
                换个状态或放宽筛选条件试试
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
                showTotal={(total) => `共 ${total.toLocaleString('en-US')} 单`}
                onChange={(PageIndex, PageSize) =>
                  setFilters({ PageIndex: PageSize === data.PageSize ? PageIndex : 1, PageSize })
                }
              />
            )}
          </div>
        )}
      </Page>
      <OftenBought />
    </>
  )
}
