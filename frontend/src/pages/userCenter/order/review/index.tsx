import { useQuery, type QueryClient } from '@tanstack/react-query'
import { useParams, type LoaderFunctionArgs } from 'react-router-dom'
import { orderReviews } from '@/domain/reviews/reviews'
import { paths } from '@/lib/paths'
import { formatTime } from '@/lib/time'
import { ButtonLink } from '@/ui/Button'
import { Breadcrumb } from '@/ui/Small'
import { Empty, ErrorState, Loading } from '@/ui/States'
import styles from './review.module.css'
import { Reviewed } from './Reviewed'
import { Write } from './Write'

export const loader =
  (client: QueryClient) =>
  ({ params }: LoaderFunctionArgs) => {
    if (params.id) void client.prefetchQuery(orderReviews(params.id))
    return null
  }

export function Component() {
  const orderNo = useParams().id ?? ''
  const { data, error, refetch } = useQuery(orderReviews(orderNo))
  if (error && !data)
    return (
      <ErrorState
        error={error}
        onRetry={() => void refetch()}
        back={{ to: paths.orders(), label: '返回订单列表' }}
      />
    )
  if (!data) return <Loading height={560} />
  return (
    <div className={styles.page}>
      <Breadcrumb
        items={[
          { label: '我的订单', to: paths.orders() },
          { label: data.OrderNo, to: paths.order(data.OrderNo) },
          { label: '评价' },
        ]}
      />
      <header className={styles.title}>
        <h1>评价商品</h1>
        <p>
          订单 {data.OrderNo} · {formatTime(data.CreatedAt)} 下单
        </p>
        <ButtonLink to={paths.order(data.OrderNo)} look="text">
          查看订单
        </ButtonLink>
      </header>
      {!data.Lines.length && (
        <Empty
          title="还没有可以评价的商品"
          icon="truck"
          action={
            <ButtonLink to={paths.order(data.OrderNo)} look="primary">
              查看订单
            </ButtonLink>
          }
        >
          签收后即可评价
        </Empty>
      )}
      <Write data={data} />
      <Reviewed data={data} />
    </div>
  )
}
