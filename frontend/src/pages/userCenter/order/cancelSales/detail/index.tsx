import { useQuery, type QueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Link, useParams, type LoaderFunctionArgs } from 'react-router-dom'
import { DocumentCard, DocumentHead, DocumentPage } from '@/desk/DocumentPage'
import { GoodsTable, type GoodsColumn } from '@/desk/GoodsTable'
import { StatusTag } from '@/desk/StatusTag'
import { Timeline } from '@/desk/Timeline'
import { cancel, getTone, useWithdrawCancel, type CancelDetail } from '@/domain/cancels/cancels'
import { subtractInFen, yuan } from '@/lib/money'
import { paths } from '@/lib/paths'
import { formatTime } from '@/lib/time'
import { Button } from '@/ui/Button'
import { Dialog } from '@/ui/Dialog'
import { ErrorState, Loading } from '@/ui/States'
import { toast } from '@/ui/toast'
import styles from './detail.module.css'

export const loader =
  (client: QueryClient) =>
  ({ params }: LoaderFunctionArgs) => {
    if (params.id) void client.prefetchQuery(cancel(params.id))
    return null
  }

/** Explain the state in one sentence. */
function stateText({ Status, DecideBy, DecisionNote, IsWhole }: CancelDetail): string {
  if (Status === 'pending')
    return `客服最晚 ${formatTime(DecideBy)} 前处理；处理期间所选商品暂停发货，到时未处理将按申请取消`
  if (Status === 'refused')
    return `客服未同意取消：${DecisionNote}。商品将照常发货，收到后如需退货可申请售后`
  if (Status === 'withdrawn') return '申请已撤销，商品照常发货；仍需取消可重新申请'
  return `${IsWhole ? '订单已整单取消' : '所选商品已从订单中取消'}，库存与预算已退回${DecisionNote ? `。${DecisionNote}` : ''}`
}

function Withdraw({ data }: { data: CancelDetail }) {
  const [open, setOpen] = useState(false)
  const withdraw = useWithdrawCancel()
  const close = (): void => setOpen(false)
  return (
    <>
      <Button onClick={() => setOpen(true)}>撤销申请</Button>
      <Dialog
        title="撤销取消申请"
        open={open}
        onClose={close}
        footer={
          <>
            <Button onClick={close}>再想想</Button>
            <Button
              look="primary"
              loading={withdraw.isPending}
              onClick={() =>
                withdraw.mutate(data.Id, {
                  onSuccess: () => toast.success('已撤销取消申请'),
                  onSettled: close,
                })
              }
            >
              确认撤销
            </Button>
          </>
        }
      >
        撤销后所选商品恢复发货，之后仍可重新申请取消。
      </Dialog>
    </>
  )
}

function Head({ data }: { data: CancelDetail }) {
  return (
    <DocumentHead
      title={
        <>
          取消单 {data.CancelNo}
          <StatusTag text={data.StatusText} tone={getTone(data.Status)} />
        </>
      }
      description={
        <>
          <p>
            {formatTime(data.CreatedAt)} 由 {data.Requester.Name} 提交 · 订单{' '}
            <Link to={paths.order(data.OrderNo)}>{data.OrderNo}</Link>（{data.OrderStatusText}）
          </p>
          <p>
            原因：{data.ReasonText}
            {data.Reason && `，${data.Reason}`}
          </p>
        </>
      }
      actions={data.AllowedActions.includes('withdraw') && <Withdraw data={data} />}
      state={stateText(data)}
      isStateBad={data.Status === 'refused'}
    />
  )
}

const COLUMNS: readonly GoodsColumn<CancelDetail['Lines'][number]>[] = [
  { title: '单价（含税）', render: ({ UnitPrice }) => yuan(UnitPrice) },
  { title: '取消数量', render: ({ Quantity, Unit }) => `${Quantity} ${Unit}` },
  { title: '金额（含税）', render: ({ Amount }) => yuan(Amount) },
]

function Goods({ data }: { data: CancelDetail }) {
  const isPending = data.Status === 'pending'
  const isRefunded = subtractInFen(data.Refund, '0.00') > 0
  const isFreightChanged = subtractInFen(data.FreightBefore, data.FreightAfter) !== 0
  const isVoid = data.Status === 'refused' || data.Status === 'withdrawn'
  return (
    <DocumentCard title="取消商品">
      <GoodsTable lines={data.Lines} columns={COLUMNS} minWidth={560} />
      {!isVoid && (
        <dl className={styles.sums}>
          <dt>取消商品金额（含税）</dt>
          <dd>{yuan(data.Goods)}</dd>
          {isFreightChanged && <dt>运费</dt>}
          {isFreightChanged && (
            <dd>
              <s>{yuan(data.FreightBefore)}</s> {yuan(data.FreightAfter)}
            </dd>
          )}
          <dt>订单应付总额</dt>
          <dd>
            <s>{yuan(data.TotalBefore)}</s> {yuan(data.TotalAfter)}
          </dd>
          <dt>
            {isRefunded
              ? `${isPending ? '预计' : ''}退款（原路退回）`
              : `${isPending ? '预计' : ''}应付减少`}
          </dt>
          <dd className={styles.total}>{yuan(isRefunded ? data.Refund : data.Reduction)}</dd>
        </dl>
      )}
    </DocumentCard>
  )
}

export function Component() {
  const { id = '' } = useParams()
  const { data, error, refetch } = useQuery(cancel(id))
  if (error && !data)
    return (
      <ErrorState
        error={error}
        onRetry={() => void refetch()}
        back={{ to: paths.cancels(), label: '返回取消记录' }}
      />
    )
  if (!data) return <Loading height={560} />
  return (
    <DocumentPage>
      <Head data={data} />
      <Goods data={data} />
      <DocumentCard title="处理进度">
        <Timeline events={data.Timeline} />
      </DocumentCard>
    </DocumentPage>
  )
}
