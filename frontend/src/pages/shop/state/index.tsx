import { useQuery, type QueryClient } from '@tanstack/react-query'
import type { LoaderFunctionArgs } from 'react-router-dom'
import { Link, useSearchParams } from 'react-router-dom'
import { order, usePay, type OrderDetail } from '@/domain/orders/orders'
import { yuan } from '@/lib/money'
import { paths } from '@/lib/paths'
import { Button, ButtonLink } from '@/ui/Button'
import { Icon } from '@/ui/Icon'
import { Empty, ErrorState, Loading } from '@/ui/States'
import styles from './state.module.css'

const numberOf = (query: URLSearchParams): string => query.get('OrderNo') ?? ''

export const loader =
  (client: QueryClient) =>
  ({ request }: LoaderFunctionArgs) => {
    const OrderNo = numberOf(new URL(request.url).searchParams)
    if (OrderNo) void client.prefetchQuery(order(OrderNo))
    return null
  }

/** The next step, in one sentence. */
function next(data: OrderDetail): string {
  const waiting = data.Approval?.Steps.find(({ Status }) => Status === 'active')
  if (waiting)
    return !waiting.Tasks.length
      ? '订单由平台客服审批，通过后进入处理'
      : `订单已提交给 ${waiting.Tasks.map(({ Approver }) => Approver.Name).join('、')} 审批，结果会在订单中显示`
  if (data.AllowedActions.includes('pay')) return '请在 24 小时内完成支付，逾期订单将自动取消'
  return '客服将尽快确认订单并安排发货'
}

export function Component() {
  const OrderNo = numberOf(useSearchParams()[0])
  const { data, error, refetch } = useQuery({ ...order(OrderNo), enabled: OrderNo !== '' })
  const pay = usePay()
  if (!OrderNo)
    return (
      <Empty
        title="没有要查看的订单"
        icon="order"
        action={
          <ButtonLink to={paths.orders()} look="primary">
            查看我的订单
          </ButtonLink>
        }
      >
        提交订单后会在这里显示结果
      </Empty>
    )
  if (error)
    return (
      <ErrorState
        error={error}
        onRetry={() => void refetch()}
        back={{ to: paths.orders(), label: '查看我的订单' }}
      />
    )
  if (!data)
    return (
      <div className={styles.card}>
        <Loading height={220} />
      </div>
    )
  return (
    <section className={styles.card}>
      <span className={styles.mark}>
        <Icon name="check" size={36} />
      </span>
      <h1>{data.Batch.length > 1 ? `已提交 ${data.Batch.length} 张订单` : '订单提交成功'}</h1>
      <p className={styles.next}>{next(data)}</p>
      <dl className={styles.facts}>
        <dt>订单号</dt>
        <dd>{data.OrderNo}</dd>
        <dt>应付总额</dt>
        <dd className={styles.price}>{yuan(data.Amounts.Total)}</dd>
        <dt>订单状态</dt>
        <dd>{data.StatusText}</dd>
        <dt>付款方式</dt>
        <dd>{data.PaymentKindText}</dd>
      </dl>
      {data.Batch.length > 1 && (
        <ul className={styles.batch} aria-label="同批订单">
          {data.Batch.map((row) => (
            <li key={row.OrderNo}>
              <Link to={paths.order(row.OrderNo)}>{row.OrderNo}</Link> {row.Receiver} ·{' '}
              {row.StatusText} · {yuan(row.Total)}
            </li>
          ))}
        </ul>
      )}
      <p className={styles.acts}>
        {data.AllowedActions.includes('pay') && (
          <Button
            look="primary"
            size="l"
            loading={pay.isPending}
            onClick={() =>
              pay.mutate(OrderNo, { onSuccess: ({ PayUrl }) => window.location.assign(PayUrl) })
            }
          >
            去支付
          </Button>
        )}
        <ButtonLink
          to={paths.order(OrderNo)}
          look={data.AllowedActions.includes('pay') ? 'secondary' : 'primary'}
          size="l"
        >
          查看订单
        </ButtonLink>
        <ButtonLink to={paths.products()} size="l">
          继续选购
        </ButtonLink>
      </p>
    </section>
  )
}
