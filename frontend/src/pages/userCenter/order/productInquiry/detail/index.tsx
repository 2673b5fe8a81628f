import { useQuery, type QueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { Link, useParams, type LoaderFunctionArgs } from 'react-router-dom'
import {
  DocumentCard,
  DocumentHead,
  DocumentPage,
  FactList,
  PictureList,
} from '@/desk/DocumentPage'
import { MessageThread } from '@/desk/MessageThread'
import { StatusTag } from '@/desk/StatusTag'
import { Timeline } from '@/desk/Timeline'
import {
  inquiry,
  getTone,
  useMessage,
  useRead,
  type InquiryDetail,
} from '@/domain/inquiries/inquiries'
import { paths } from '@/lib/paths'
import { formatTime } from '@/lib/time'
import { ErrorState, Loading } from '@/ui/States'
import { Actions } from './Actions'
import styles from './detail.module.css'
import { Quote } from './Quote'

/** Reload for new messages, and because picture URLs expire. */
const EVERY_MINUTE = 60_000

export const loader =
  (client: QueryClient) =>
  ({ params }: LoaderFunctionArgs) => {
    if (params.no) void client.prefetchQuery(inquiry(params.no))
    return null
  }

/** Explain the state in one sentence. */
function stateText({ Status, HasExpired, ValidTo, CloseReason }: InquiryDetail): string {
  if (Status === 'pending') return '客服正在为您找货、核价，一般 1 个工作日内报价'
  if (Status === 'quoted')
    return HasExpired
      ? '报价已过有效期，可重新询价'
      : `报价 ${ValidTo ?? ''} 前有效（含当天），有效期内即为您的专属价`
  if (Status === 'adopted') return `报价已采纳，${ValidTo ?? ''} 前仍按报价结算`
  return `已关闭：${CloseReason}`
}

function Head({ data }: { data: InquiryDetail }) {
  return (
    <DocumentHead
      title={
        <>
          询价单 {data.InquiryNo}
          <StatusTag text={data.StatusText} tone={getTone(data.Status)} />
        </>
      }
      description={
        <p>
          {formatTime(data.CreatedAt)} 由 {data.Requester.Name} 发起
          {data.Enterprise && ` · ${data.Enterprise}`}
          {data.Department && ` · ${data.Department}`}
        </p>
      }
      actions={<Actions data={data} />}
      state={stateText(data)}
    />
  )
}

function InquiryRequest({ data }: { data: InquiryDetail }) {
  const rows: [string, string | undefined][] = [
    ['意向分类', data.Category],
    ['期望到货日', data.NeedBy ?? ''],
    ['补充说明', data.Remark],
  ]
  return (
    <DocumentCard title="询价说明">
      <FactList rows={rows} />
      <PictureList pictures={data.Pictures} label="参考图片" />
    </DocumentCard>
  )
}

export function Component() {
  const { no = '' } = useParams()
  const { data, error, refetch } = useQuery({ ...inquiry(no), refetchInterval: EVERY_MINUTE })
  const { mutate: markRead } = useRead(no)
  const message = useMessage(no)
  const unread = data?.Unread ?? 0
  useEffect(() => {
    if (unread > 0) markRead()
  }, [unread, markRead])
  if (error && !data)
    return (
      <ErrorState
        error={error}
        onRetry={() => void refetch()}
        back={{ to: paths.inquiries(), label: '返回询价列表' }}
      />
    )
  if (!data) return <Loading height={640} />
  return (
    <DocumentPage>
      <Head data={data} />
      <Quote key={data.QuotedAt ?? ''} data={data} />
      <InquiryRequest data={data} />
      <MessageThread
        messages={data.Messages}
        emptyText="还没有留言。规格、交期、发票等细节都可以在这里问客服。"
        canWrite={data.AllowedActions.includes('message')}
        isSending={message.isPending}
        onSend={({ Text }, onSent) => message.mutate(Text, { onSuccess: onSent })}
      />
      <DocumentCard title="询价动态">
        <Timeline events={data.Timeline} />
      </DocumentCard>
      <p className={styles.more}>
        还要别的商品？<Link to={paths.inquiry()}>发起新的询价</Link>
      </p>
    </DocumentPage>
  )
}
