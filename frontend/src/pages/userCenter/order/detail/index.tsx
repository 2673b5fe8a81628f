import { useQuery, type QueryClient } from '@tanstack/react-query'
import { useSearchParams, type LoaderFunctionArgs } from 'react-router-dom'
import { DocumentCard, DocumentHead, DocumentPage } from '@/desk/DocumentPage'
import { StatusTag } from '@/desk/StatusTag'
import { Timeline } from '@/desk/Timeline'
import { OrderActions } from '@/domain/orders/OrderActions'
import { order, type OrderDetail } from '@/domain/orders/orders'
import { hasEnded, toneOf, getOrderSteps } from '@/domain/orders/status'
import { PrintButtons } from '@/domain/orders/PrintButtons'
import { paths } from '@/lib/paths'
import { useSession } from '@/lib/session'
import { formatTime } from '@/lib/time'
import { ButtonLink } from '@/ui/Button'
import { cx } from '@/ui/cx'
import { Breadcrumb } from '@/ui/Small'
import { Empty, ErrorState, Loading } from '@/ui/States'
import { Approval } from './Approval'
import { Batch } from './Batch'
import { Facts } from './Facts'
import { Goods } from './Goods'
import { Payments } from './Payments'
import { Shipments } from './Shipments'
import { Trace } from './Trace'
import styles from './detail.module.css'

const numberOf = (query: URLSearchParams): string => query.get('OrderNo') ?? ''

export const loader =
  (client: QueryClient) =>
  ({ request }: LoaderFunctionArgs) => {
    const OrderNo = numberOf(new URL(request.url).searchParams)
    if (OrderNo) void client.prefetchQuery(order(OrderNo))
    return null
  }

function OrderProgress({ order: shown }: { order: OrderDetail }) {
  const { labels, now } = getOrderSteps(shown)
  return (
    <ol className={styles.way} aria-label="订单进度">
      {labels.map((label, index) => (
        <li
          key={label}
          className={cx(index <= now && styles.done)}
          aria-current={index === now ? 'step' : undefined}
        >
          <i>{index + 1}</i>
          {label}
        </li>
      ))}
    </ol>
  )
}

/** Five separate states, side by side. */
const AXES = [
  ['订单', 'StatusText'],
  ['审批', 'ApprovalStatusText'],
  ['开票', 'InvoiceStatusText'],
  ['结算', 'SettlementStatusText'],
  ['售后', 'AfterSalesStatusText'],
] as const

function Head({ data }: { data: OrderDetail }) {
  return (
    <DocumentHead
      title={
        <>
          订单 {data.OrderNo}
          <StatusTag text={data.StatusText} tone={toneOf(data.Status)} />
          {data.AwaitsPayment && <StatusTag text="待支付" tone="warn" />}
        </>
      }
      description={
        <p>
          {formatTime(data.CreatedAt)} 由 {data.Requester.Name} 提交 · {data.Enterprise}
          {data.Department && ` · ${data.Department}`}
        </p>
      }
      actions={
        <>
          <ButtonLink to={paths.newRecurringOrder(data.OrderNo)}>设为定期采购</ButtonLink>
          <PrintButtons
            orderNos={[data.OrderNo]}
            sent={data.Shipments.length > 0 ? [data.OrderNo] : []}
            look="text"
          />
          <OrderActions order={data} />
        </>
      }
    >
      {!hasEnded(data.Status) && <OrderProgress order={data} />}
      <dl className={styles.axes} aria-label="订单的各项状态">
        {AXES.map(([name, key]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{data[key]}</dd>
          </div>
        ))}
      </dl>
    </DocumentHead>
  )
}

export function Component() {
  const OrderNo = numberOf(useSearchParams()[0])
  const uid = useSession()?.User.uid
  const { data, error, refetch } = useQuery({ ...order(OrderNo), enabled: OrderNo !== '' })
  if (!OrderNo)
    return (
      <Empty
        title="没有要查看的订单"
        icon="order"
        action={
          <ButtonLink to={paths.orders()} look="primary">
            返回订单列表
          </ButtonLink>
        }
      >
        请从订单列表中打开
      </Empty>
    )
  if (error && !data)
    return (
      <ErrorState
        error={error}
        onRetry={() => void refetch()}
        back={{ to: paths.orders(), label: '返回订单列表' }}
      />
    )
  if (!data) return <Loading height={640} />
  return (
    <DocumentPage>
      <Breadcrumb items={[{ label: '我的订单', to: paths.orders() }, { label: data.OrderNo }]} />
      <Head data={data} />
      {data.Approval && <Approval approval={data.Approval} isMine={data.Requester.Id === uid} />}
      {data.Payments.length > 0 && <Payments data={data} />}
      <Goods data={data} />
      {data.Shipments.length > 0 && <Shipments rows={data.Shipments} />}
      {data.Shipments.length > 0 && <Trace OrderNo={data.OrderNo} />}
      {data.Batch.length > 1 && <Batch data={data} />}
      <Facts data={data} />
      <DocumentCard title="订单动态">
        <Timeline events={data.Timeline} />
      </DocumentCard>
    </DocumentPage>
  )
}
