import { useQuery, type QueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { Link, useParams, type LoaderFunctionArgs } from 'react-router-dom'
import { StatusTag } from '@/desk/StatusTag'
import { Timeline } from '@/desk/Timeline'
import { returnOrder, toneOf, useRead, type ReturnDetail } from '@/domain/returns/returns'
import { paths } from '@/lib/paths'
import { formatTime } from '@/lib/time'
import { cx } from '@/ui/cx'
import { ErrorState, Loading } from '@/ui/States'
import { Actions } from './Actions'
import { Conversation } from './Conversation'
import styles from './detail.module.css'
import { Facts } from './Facts'
import { Lines } from './Lines'
import { Parcels } from './Parcels'
import { stateText } from './stateText'
import { Steps } from './Steps'

/** Reload for changes by staff, and because picture URLs expire. */
const EVERY_MINUTE = 60_000

export const loader =
  (client: QueryClient) =>
  ({ params }: LoaderFunctionArgs) => {
    if (params.no) void client.prefetchQuery(returnOrder(params.no))
    return null
  }

function Head({ data }: { data: ReturnDetail }) {
  return (
    <section className={styles.card}>
      <div className={styles.head}>
        <div>
          <h1>
            {data.KindText}单 {data.ReturnOrderId}
            <StatusTag text={data.StatusText} tone={toneOf(data.Status)} />
          </h1>
          <p>
            {formatTime(data.CreatedAt)} 由 {data.Requester.Name} 申请 · 订单{' '}
            <Link to={paths.order(data.OrderNo)}>{data.OrderNo}</Link>
            {data.Department && ` · ${data.Department}`}
          </p>
        </div>
        <Actions data={data} />
      </div>
      <Steps data={data} />
      <p className={cx(styles.standing, data.Status === 'rejected' && styles.bad)} role="status">
        {stateText(data)}
      </p>
    </section>
  )
}

export function Component() {
  const { no = '' } = useParams()
  const { data, error, refetch } = useQuery({ ...returnOrder(no), refetchInterval: EVERY_MINUTE })
  const { mutate: markRead } = useRead(no)
  const unread = data?.Unread ?? 0
  useEffect(() => {
    if (unread > 0) markRead()
  }, [unread, markRead])
  if (error && !data)
    return (
      <ErrorState
        error={error}
        onRetry={() => void refetch()}
        back={{ to: paths.returns(), label: '返回退换货列表' }}
      />
    )
  if (!data) return <Loading height={640} />
  return (
    <div className={styles.page}>
      <Head data={data} />
      <Lines data={data} />
      {data.Parcels.length > 0 && <Parcels rows={data.Parcels} />}
      <Facts data={data} />
      <Conversation data={data} />
      <section className={styles.card} aria-label="售后动态">
        <h2>售后动态</h2>
        <Timeline events={data.Timeline} />
      </section>
    </div>
  )
}
