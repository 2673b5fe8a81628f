import { useMutation, useQuery } from '@tanstack/react-query'
import { Popconfirm } from 'antd'
import { Link, useParams } from 'react-router-dom'
import { tryDownload } from '@/api/download'
import { Page } from '@/desk/Page'
import { StatusTag } from '@/desk/StatusTag'
import { Timeline } from '@/desk/Timeline'
import {
  quotation,
  getTone,
  useVoidQuotation,
  type QuotationDetail,
} from '@/domain/quotations/quotations'
import { subtractInFen, yuan } from '@/lib/money'
import { paths } from '@/lib/paths'
import { getProductTitle } from '@/lib/productTitle'
import { formatDate } from '@/lib/time'
import { Button, ButtonLink } from '@/ui/Button'
import { ErrorState, Loading } from '@/ui/States'
import { toast } from '@/ui/toast'
import styles from './quotation.module.css'

type Line = QuotationDetail['Lines'][number]

/** What has changed since the quotation: a problem, a rise that does not count, or a fall that does. */
function changeOf({ ProblemText, CurrentPrice, QuotedPrice }: Line): string {
  if (ProblemText) return ProblemText
  if (CurrentPrice === null) return '不在采购目录内'
  const order = subtractInFen(CurrentPrice, QuotedPrice)
  if (order > 0) return `现价 ${yuan(CurrentPrice)}，按报价`
  return order < 0 ? `现价 ${yuan(CurrentPrice)}，按现价` : '与现价相同'
}

const Lines = ({ shown }: { shown: QuotationDetail }) => (
  <div className={styles.scroll} tabIndex={0} role="region" aria-label="报价明细">
    <table className={styles.lines}>
      <thead>
        <tr>
          <th scope="col">商品</th>
          <th scope="col">数量</th>
          <th scope="col">报价（含税）</th>
          <th scope="col">金额（含税）</th>
          {shown.Status === 'valid' && <th scope="col">现在下单</th>}
        </tr>
      </thead>
      <tbody>
        {shown.Lines.map((line) => (
          <tr key={line.Id}>
            <td>
              <Link to={paths.product(line.ProductCode)}>{getProductTitle(line)}</Link>
              <small>
                {[line.ProductCode, line.CustomerCode, line.Pack].filter(Boolean).join(' · ')}
              </small>
            </td>
            <td>
              {line.Quantity} {line.Unit}
            </td>
            <td>{yuan(line.QuotedPrice)}</td>
            <td>{yuan(line.Amount)}</td>
            {shown.Status === 'valid' && (
              <td className={line.ProblemText ? styles.problem : undefined}>{changeOf(line)}</td>
            )}
          </tr>
        ))}
      </tbody>
    </table>
  </div>
)

async function copyLink(): Promise<void> {
  try {
    await navigator.clipboard.writeText(window.location.href)
    toast.success('链接已复制，本企业有权查看价格的同事可以打开')
  } catch {
    toast.error('浏览器不允许复制，请从地址栏复制链接')
  }
}

function Acts({ shown }: { shown: QuotationDetail }) {
  const cancel = useVoidQuotation()
  const { QuotationNo, AllowedActions } = shown
  const file = useMutation({
    mutationFn: () =>
      tryDownload(`/api/Quotation/${encodeURIComponent(QuotationNo)}/File`, undefined, {
        method: 'GET',
        fallback: `报价单-${QuotationNo}.pdf`,
      }),
  })
  return (
    <div className={styles.acts}>
      <Button loading={file.isPending} onClick={() => file.mutate()}>
        下载 PDF
      </Button>
      <Button onClick={() => window.print()}>打印</Button>
      <Button onClick={() => void copyLink()}>复制链接</Button>
      {AllowedActions.includes('void') && (
        <Popconfirm
          title="作废报价单"
          description="作废后不再保留报价"
          okText="确认作废"
          cancelText="取消"
          onConfirm={() =>
            cancel.mutate(QuotationNo, { onSuccess: () => toast.success('报价单已作废') })
          }
        >
          <Button loading={cancel.isPending}>作废</Button>
        </Popconfirm>
      )}
      {AllowedActions.includes('order') && (
        <ButtonLink to={paths.checkout({ Quotation: QuotationNo })} look="primary">
          按报价单下单
        </ButtonLink>
      )}
    </div>
  )
}

/** A quotation with its lines beside the present prices. Its address opens for colleagues. */
export function Component() {
  const { no = '' } = useParams()
  const { data, error, refetch } = useQuery(quotation(no))
  if (error && !data)
    return (
      <ErrorState
        error={error}
        onRetry={() => void refetch()}
        back={{ to: paths.quotations(), label: '返回报价单' }}
      />
    )
  if (!data) return <Loading height={480} />
  return (
    <Page title={`报价单 ${data.QuotationNo}`} extra={<Acts shown={data} />}>
      <dl className={styles.facts}>
        <dt>状态</dt>
        <dd>
          <StatusTag text={data.StatusText} tone={getTone(data.Status)} />{' '}
          {data.OrderNo && <Link to={paths.order(data.OrderNo)}>订单 {data.OrderNo}</Link>}
          {data.VoidReason}
        </dd>
        <dt>有效期至</dt>
        <dd>{data.ValidTo}（含当天）</dd>
        <dt>企业</dt>
        <dd>{data.Enterprise}</dd>
        <dt>生成人</dt>
        <dd>
          {data.Requester.Name} · {formatDate(data.CreatedAt)}
        </dd>
        {data.Remark && (
          <>
            <dt>备注</dt>
            <dd>{data.Remark}</dd>
          </>
        )}
      </dl>
      <Lines shown={data} />
      <p className={styles.total}>
        商品金额（含税）<strong>{yuan(data.GoodsAmount)}</strong>
        {data.OrderAmount !== null && subtractInFen(data.OrderAmount, data.GoodsAmount) !== 0 && (
          <span>现在下单 {yuan(data.OrderAmount)}</span>
        )}
      </p>
      <p className={styles.terms}>
        不含运费；有效期内下单的单价不高于报价，现价更低时按现价；价格所依据的协议提前结束的，报价同时失效；不预留库存，只能下单一次。
      </p>
      <Timeline events={data.Timeline} />
    </Page>
  )
}
