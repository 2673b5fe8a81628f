import { useQuery } from '@tanstack/react-query'
import { Pagination } from 'antd'
import { FilterBar, type FilterField } from '@/desk/FilterBar'
import { useFilters, readPage } from '@/lib/useFilters'
import { StatusTag } from '@/desk/StatusTag'
import { toneOf } from '@/domain/orders/status'
import { ordersToReturn } from '@/domain/returns/returns'
import { yuan } from '@/lib/money'
import { paths } from '@/lib/paths'
import { formatDate } from '@/lib/time'
import { ButtonLink } from '@/ui/Button'
import { Empty, ErrorState, Loading } from '@/ui/States'
import styles from './apply.module.css'

const FIELDS: readonly FilterField[] = [
  { kind: 'text', name: 'Keyword', label: '关键词', placeholder: '订单号或商品', width: 260 },
]
const read = (
  params: URLSearchParams,
): { Keyword?: string; PageIndex: number; PageSize: number } => ({
  Keyword: params.get('Keyword') || undefined,
  ...readPage(params),
})

/** Choose the order: those with lines that can still be returned. */
export function Orders() {
  const [filters, setFilters] = useFilters(read)
  const { data, error, refetch } = useQuery(ordersToReturn(filters))
  if (error && !data) return <ErrorState error={error} onRetry={() => void refetch()} />
  return (
    <div className={styles.picker}>
      <p className={styles.lead}>请选择要申请售后的订单（已签收且仍有商品可申请的订单）</p>
      <FilterBar value={filters} onChange={setFilters} fields={FIELDS} />
      {!data && <Loading height={320} />}
      {data && !data.Items.length && (
        <Empty
          title="没有可以申请售后的订单"
          icon="order"
          action={<ButtonLink to={paths.orders()}>查看我的订单</ButtonLink>}
        >
          签收之后的商品才可以申请
        </Empty>
      )}
      <ul className={styles.orders} aria-label="可申请的订单">
        {data?.Items.map(({ OrderNo, Status, StatusText, CreatedAt, Total, Names, LineCount }) => (
          <li key={OrderNo}>
            <span className={styles.order}>
              <span>
                <b>{OrderNo}</b> <StatusTag text={StatusText} tone={toneOf(Status)} />
              </span>
              <small>
                {formatDate(CreatedAt)} 下单 · {yuan(Total)}
              </small>
              <span className={styles.names}>
                {Names.join('、')}
                {LineCount > Names.length && ` 等 ${LineCount} 种商品`}
              </span>
            </span>
            <ButtonLink to={paths.applyReturn(OrderNo)} size="s">
              选择
            </ButtonLink>
          </li>
        ))}
      </ul>
      {data && data.Total > data.PageSize && (
        <Pagination
          align="end"
          current={data.PageIndex}
          pageSize={data.PageSize}
          total={data.Total}
          showSizeChanger={false}
          onChange={(PageIndex) => setFilters({ PageIndex })}
        />
      )}
    </div>
  )
}
