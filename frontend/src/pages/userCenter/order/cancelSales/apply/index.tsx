import { useQuery, type QueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useNavigate, useSearchParams, type LoaderFunctionArgs } from 'react-router-dom'
import { fieldMessages, isApiError } from '@/api/errors'
import { Page } from '@/desk/Page'
import {
  linesOf,
  preview,
  REASONS,
  useApplyCancel,
  type CancelBody,
  type CancelPreview,
  type Pieces,
} from '@/domain/cancels/cancels'
import { paths } from '@/lib/paths'
import { formatTime } from '@/lib/time'
import { Button, ButtonLink } from '@/ui/Button'
import { Field, Select, Textarea } from '@/ui/Field'
import { Empty, ErrorState, Loading } from '@/ui/States'
import { toast } from '@/ui/toast'
import styles from './apply.module.css'
import { Effect } from './Effect'
import { Lines } from './Lines'

const orderNoOf = (params: URLSearchParams): string => params.get('OrderNo') ?? ''

export const loader =
  (client: QueryClient) =>
  ({ request }: LoaderFunctionArgs) => {
    const OrderNo = orderNoOf(new URL(request.url).searchParams)
    if (OrderNo) void client.prefetchQuery(preview(OrderNo, null))
    return null
  }

const allOf = (data: CancelPreview): Pieces =>
  Object.fromEntries(data.Lines.map(({ Id, Cancellable }) => [Id, Cancellable]))

function Form({ OrderNo, whole }: { OrderNo: string; whole: CancelPreview }) {
  const navigate = useNavigate()
  const [pieces, setPieces] = useState<Pieces>(() => allOf(whole))
  const [reason, setReason] = useState<CancelBody['ReasonKind'] | ''>('')
  const [words, setWords] = useState('')
  const [isAsked, setAsked] = useState(false)
  const lines = linesOf(pieces)
  const effect = useQuery({ ...preview(OrderNo, pieces), enabled: lines.length > 0 })
  const apply = useApplyCancel()
  const fields = fieldMessages(apply.error)
  const refusal =
    effect.error ?? (isApiError(apply.error) && !apply.error.fields.Reason ? apply.error : null)
  const noReason = isAsked && !reason ? '请选择取消原因' : null
  const missingReason = isAsked && reason === 'other' && !words.trim() ? '请填写取消原因' : null
  const send = (event: React.FormEvent): void => {
    event.preventDefault()
    setAsked(true)
    if (!reason || (reason === 'other' && !words.trim())) return
    apply.mutate(
      { OrderNo, Lines: lines, ReasonKind: reason, Reason: words.trim() },
      {
        onSuccess: ({ Id, Status }) => {
          toast.success(Status === 'done' ? '取消成功' : '取消申请已提交，请等待客服处理')
          void navigate(paths.cancel(Id))
        },
      },
    )
  }
  return (
    <form className={styles.form} onSubmit={send} noValidate>
      <p className={styles.lead}>
        订单 <b>{OrderNo}</b>（{whole.StatusText}）
        {whole.DecideBy ? (
          <>
            已确认，取消申请由客服处理，最晚 {formatTime(whole.DecideBy)}{' '}
            前答复；处理期间所选商品暂停发货，到时未答复则按申请取消。
          </>
        ) : (
          '尚未确认，提交后立即取消，不能恢复。'
        )}
      </p>
      <Lines lines={whole.Lines} pieces={pieces} onChange={setPieces} />
      <section className={styles.card} aria-label="原因与金额">
        <div className={styles.foot}>
          <div className={styles.why}>
            <Field label="取消原因" required error={noReason ?? fields.ReasonKind}>
              <Select
                value={reason}
                placeholder="请选择"
                options={REASONS}
                onChange={(value) => setReason(value as CancelBody['ReasonKind'])}
              />
            </Field>
            <Field
              label="补充说明"
              required={reason === 'other'}
              error={missingReason ?? fields.Reason}
            >
              <Textarea
                rows={4}
                maxLength={200}
                placeholder="选填，最多 200 字"
                value={words}
                onChange={(event) => setWords(event.target.value)}
              />
            </Field>
          </div>
          {lines.length > 0 && effect.data && !effect.error ? (
            <Effect data={effect.data} isBusy={effect.isPlaceholderData} />
          ) : (
            <p className={styles.quiet}>选择要取消的商品数量后，这里显示取消后的金额</p>
          )}
        </div>
        {refusal && (
          <p role="alert" className={styles.error}>
            {refusal.message}
          </p>
        )}
        <div className={styles.buttons}>
          <ButtonLink to={paths.order(OrderNo)}>返回订单</ButtonLink>
          <Button
            type="submit"
            look="primary"
            loading={apply.isPending}
            disabled={lines.length === 0 || effect.isError}
          >
            {whole.DecideBy ? '提交取消申请' : '确认取消'}
          </Button>
        </div>
      </section>
    </form>
  )
}

export function Component() {
  const OrderNo = orderNoOf(useSearchParams()[0])
  const { data, error, refetch } = useQuery({ ...preview(OrderNo, null), enabled: OrderNo !== '' })
  if (!OrderNo)
    return (
      <Page title="申请取消">
        <Empty
          title="请先选择要取消的订单"
          action={<ButtonLink to={paths.orders()}>查看订单</ButtonLink>}
        >
          在订单列表或订单详情中点“申请取消”或“取消部分商品”
        </Empty>
      </Page>
    )
  if (error && !data)
    return (
      <ErrorState
        error={error}
        onRetry={() => void refetch()}
        back={{ to: OrderNo ? paths.order(OrderNo) : paths.orders(), label: '返回订单' }}
      />
    )
  if (!data) return <Loading height={640} />
  return (
    <Page
      title="申请取消"
      extra={
        <ButtonLink to={paths.cancels()} look="text">
          取消记录
        </ButtonLink>
      }
    >
      <Form key={OrderNo} OrderNo={OrderNo} whole={data} />
    </Page>
  )
}
