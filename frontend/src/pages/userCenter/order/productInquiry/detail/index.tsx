import { useQuery, type QueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { Link, useParams, type LoaderFunctionArgs } from 'react-router-dom'
import { StatusTag } from '@/desk/StatusTag'
import { Timeline } from '@/desk/Timeline'
import { inquiry, toneOf, useRead, type InquiryDetail } from '@/domain/inquiries/inquiries'
import { paths } from '@/lib/paths'
import { formatTime } from '@/lib/time'
import { ErrorState, Loading } from '@/ui/States'
import { Actions } from './Actions'
import { Conversation } from './Conversation'
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
function standing({ Status, HasExpired, ValidTo, CloseReason }: InquiryDetail): string {
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
    <section className={styles.card}>
      <div className={styles.head}>
        <div>
          <h1>
            询价单 {data.InquiryNo}
            <StatusTag text={data.StatusText} tone={toneOf(data.Status)} />
          </h1>
          <p>
            {formatTime(data.CreatedAt)} 由 {data.Requester.Name} 发起
            {data.Enterprise && ` · ${data.Enterprise}`}
            {data.Department && ` · ${data.Department}`}
          </p>
        </div>
        <Actions data={data} />
      </div>
      <p className={styles.standing}>{standing(data)}</p>
    </section>
  )
}

function Wish({ data }: { data: InquiryDetail }) {
  const rows: [string, string | undefined][] = [
    ['意向分类', data.Category],
    ['期望到货日', data.NeedBy ?? ''],
    ['补充说明', data.Remark],
  ]
  return (
    <section className={styles.card} aria-label="询价说明">
      <h2>询价说明</h2>
      <dl className={styles.facts}>
        {rows.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value || '—'}</dd>
          </div>
        ))}
      </dl>
      {data.Pictures.length > 0 && (
        <ul className={styles.pictures} aria-label="参考图片">
          {data.Pictures.map(({ FileId, Url, Name }) => (
            <li key={FileId}>
              <a href={Url} target="_blank" rel="noreferrer" aria-label={`查看大图 ${Name}`}>
                <img src={Url} alt={Name} width={96} height={96} />
              </a>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

export function Component() {
  const { no = '' } = useParams()
  const { data, error, refetch } = useQuery({ ...inquiry(no), refetchInterval: EVERY_MINUTE })
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
        back={{ to: paths.inquiries(), label: '返回询价列表' }}
      />
    )
  if (!data) return <Loading height={640} />
  return (
    <div className={styles.page}>
      <Head data={data} />
      <Quote key={data.QuotedAt ?? ''} data={data} />
      <Wish data={data} />
      <Conversation data={data} />
      <section className={styles.card} aria-label="询价动态">
        <h2>询价动态</h2>
        <Timeline events={data.Timeline} />
      </section>
      <p className={styles.more}>
        还要别的商品？<Link to={paths.inquiry()}>发起新的询价</Link>
      </p>
    </div>
  )
}
