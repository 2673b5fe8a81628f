import { useQuery, type QueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { Link, useParams, type LoaderFunctionArgs } from 'react-router-dom'
import { StatusTag } from '@/desk/StatusTag'
import { Timeline } from '@/desk/Timeline'
import { returnOrder, toneOf, useRead, type ReturnDetail } from '@/domain/returns/returns'
import { yuan } from '@/lib/money'
import { paths } from '@/lib/paths'
import { formatDate, formatTime } from '@/lib/time'
import { cx } from '@/ui/cx'
import { ErrorState, Loading } from '@/ui/States'
import { Actions } from './Actions'
import { Conversation } from './Conversation'
import styles from './detail.module.css'
import { Facts } from './Facts'
import { Lines } from './Lines'
import { Steps } from './Steps'

/** What staff do shows by itself, and the pictures' addresses stay good. */
const EVERY_MINUTE = 60_000

export const loader = (client: QueryClient) => ({ params }: LoaderFunctionArgs) => {
  if (params.no) void client.prefetchQuery(returnOrder(params.no))
  return null
}

const ENDS: Readonly<Record<string, string>> = { return: '为您退款', exchange: '为您寄出新品', repair: '维修并寄回给您' }

/** What is to be done now, by whom and until when, in one sentence. */
function standing(data: ReturnDetail): string {
  const until = formatDate(data.DueAt)
  switch (data.Status) {
    case 'pending_review': return '客服正在审核，一般 1 个工作日内有结果'
    case 'rejected': return `未通过审核：${data.CloseReason}`
    case 'pending_send': return data.Way === 'pickup' ? '审核已通过，快递员将上门取件，请把商品和配件包装好' : `审核已通过，请于 ${until} 前将商品寄至：${data.SendTo}，并填写运单号；逾期将自动撤销`
    case 'pending_receipt': return '商品正在寄回途中，我们收到后会尽快检测'
    case 'inspecting': return '已收到商品，正在检测，一般 3 个工作日内有结果'
    case 'processing': return data.WaitsRed ? '商品已开票，发票红冲完成后自动退款，无需您操作' : `正在${ENDS[data.Kind] ?? '处理'}`
    case 'pending_confirm': return `${data.Kind === 'return' && data.RefundedAt ? `已退款 ${yuan(data.RefundAmount)}` : '商品已寄出'}，请核对后确认；${until} 前未确认将自动完成`
    case 'completed': return data.Kind === 'return' && data.RefundedAt ? `售后已完成，已退款 ${yuan(data.RefundAmount)}` : '售后已完成'
    default: return `已撤销：${data.CloseReason}`
  }
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
            {formatTime(data.CreatedAt)} 由 {data.Requester.Name} 申请 · 订单 <Link to={paths.order(data.OrderNo)}>{data.OrderNo}</Link>
            {data.Department && ` · ${data.Department}`}
          </p>
        </div>
        <Actions data={data} />
      </div>
      <Steps data={data} />
      <p className={cx(styles.standing, data.Status === 'rejected' && styles.bad)} role="status">
        {standing(data)}
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
  if (error && !data) return <ErrorState error={error} onRetry={() => void refetch()} back={{ to: paths.returns(), label: '返回退换货列表' }} />
  if (!data) return <Loading height={640} />
  return (
    <div className={styles.page}>
      <Head data={data} />
      <Lines data={data} />
      <Facts data={data} />
      <Conversation data={data} />
      <section className={styles.card} aria-label="售后动态">
        <h2>售后动态</h2>
        <Timeline events={data.Timeline} />
      </section>
    </div>
  )
}
