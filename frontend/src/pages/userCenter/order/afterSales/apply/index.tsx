import { useQuery, type QueryClient } from '@tanstack/react-query'
import { Link, useSearchParams, type LoaderFunctionArgs } from 'react-router-dom'
import { Page } from '@/desk/Page'
import { returnTerms } from '@/domain/returns/returns'
import { paths } from '@/lib/paths'
import { getProductTitle } from '@/lib/productTitle'
import { ButtonLink } from '@/ui/Button'
import { HelpLink } from '@/ui/HelpLink'
import { ErrorState, Loading } from '@/ui/States'
import styles from './apply.module.css'
import { Form } from './Form'
import { Orders } from './Orders'

export const loader =
  (client: QueryClient) =>
  ({ request }: LoaderFunctionArgs) => {
    const orderNo = new URL(request.url).searchParams.get('OrderNo')
    if (orderNo) void client.prefetchQuery(returnTerms(orderNo))
    return null
  }

function OfOrder({ orderNo }: { orderNo: string }) {
  const { data, error, refetch } = useQuery(returnTerms(orderNo))
  if (error && !data)
    return (
      <ErrorState
        error={error}
        onRetry={() => void refetch()}
        back={{ to: paths.applyReturn(), label: '重新选择订单' }}
      />
    )
  if (!data) return <Loading height={560} />
  return (
    <>
      <p className={styles.lead}>
        订单 <Link to={paths.order(orderNo)}>{orderNo}</Link>
        <Link to={paths.applyReturn()}>换一个订单</Link>
        <HelpLink to={paths.help(1)}>退换货政策</HelpLink>
      </p>
      {data.CanApply ? (
        <Form key={orderNo} terms={data} />
      ) : (
        <Closed why={data.WhyNot} lines={data.Lines} />
      )}
    </>
  )
}

/** Shown when no line can be requested: the reason per line. */
function Closed({
  why,
  lines,
}: {
  why: string
  lines: readonly {
    OrderLineId: string
    Name: string
    Brand: string
    Kinds: readonly { KindText: string; WhyNot: string }[]
  }[]
}) {
  return (
    <div className={styles.closed} role="status">
      <p>{why || '该订单目前没有可以申请售后的商品：'}</p>
      {!why && (
        <ul>
          {lines.map((line) => (
            <li key={line.OrderLineId}>
              <b>{getProductTitle(line)}</b>
              <span>{[...new Set(line.Kinds.map(({ WhyNot }) => WhyNot))].join('；')}</span>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}

export function Component() {
  const [params] = useSearchParams()
  const orderNo = params.get('OrderNo') ?? ''
  return (
    <Page
      title="申请售后"
      extra={
        <ButtonLink to={paths.returns()} look="text">
          返回退换货列表
        </ButtonLink>
      }
    >
      {orderNo ? <OfOrder orderNo={orderNo} /> : <Orders />}
    </Page>
  )
}
