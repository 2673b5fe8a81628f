import { useQuery, type QueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { Link, useParams, type LoaderFunctionArgs } from 'react-router-dom'
import { DocumentCard, DocumentHead, DocumentPage } from '@/desk/DocumentPage'
import { StatusTag } from '@/desk/StatusTag'
import { Timeline } from '@/desk/Timeline'
import { returnOrder, getTone, useRead, type ReturnDetail } from '@/domain/returns/returns'
import { paths } from '@/lib/paths'
import { formatTime } from '@/lib/time'
import { ErrorState, Loading } from '@/ui/States'
import { Actions } from './Actions'
import { Conversation } from './Conversation'
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
    <DocumentHead
      title={
        <>
          {data.KindText}单 {data.ReturnOrderId}
          <StatusTag text={data.StatusText} tone={getTone(data.Status)} />
        </>
      }
      description={
        <p>
          {formatTime(data.CreatedAt)} 由 {data.Requester.Name} 申请 · 订单{' '}
          <Link to={paths.order(data.OrderNo)}>{data.OrderNo}</Link>
          {data.Department && ` · ${data.Department}`}
        </p>
      }
      actions={<Actions data={data} />}
      state={stateText(data)}
      isStateBad={data.Status === 'rejected'}
    >
      <Steps data={data} />
    </DocumentHead>
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
    <DocumentPage>
      <Head data={data} />
      <Lines data={data} />
      {data.Parcels.length > 0 && <Parcels rows={data.Parcels} />}
      <Facts data={data} />
      <Conversation data={data} />
      <DocumentCard title="售后动态">
        <Timeline events={data.Timeline} />
      </DocumentCard>
    </DocumentPage>
  )
}
